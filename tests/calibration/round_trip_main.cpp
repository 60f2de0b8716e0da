// calibrate_round_trip [SECRETS] [FIRST]: calibrates random platforms from noisy measurements of them and
// prints the recovered parameters next to the true ones. Exit code 1 if any error exceeds its limit.
#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "tests/calibration/secret_platform.hpp"

int main(int argc, char** argv) {
  using namespace busline;
  using namespace busline::calibrate;
  constexpr double kNoise = 0.05;
  const auto secrets = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  const auto first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  bool good = true;
  fmt::print("{}", comparison_heading());
  for (std::uint64_t seed = first; seed < first + secrets; ++seed) {
    const auto secret = secret_platform(seed);
    const auto measured = measured_secret(secret, {kNoise}, seed);
    if (!measured) {
      fmt::print(stderr, "{}\n", to_string(measured.error()));
      return 1;
    }
    const auto found = calibrate::calibrate({*measured});
    if (!found) {
      fmt::print(stderr, "{}\n", to_string(found.error()));
      return 1;
    }
    const auto c = compare(secret, found->platform, kNoise);
    good = good && std::abs(c.latency_error) <= 0.03 && std::abs(c.bandwidth_error) <= 0.01 &&
           c.links_found && c.buses_found && c.limit_right && c.latency_at_right;
    fmt::print("{}", comparison_line(seed, secret, found->platform, kNoise));
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}
