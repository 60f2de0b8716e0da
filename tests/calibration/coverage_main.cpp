// calibrate_coverage SPREAD SEEDS FIRST NAME...: calibrates each secret platform (named_secret) from SEEDS
// measurements of it, with the seeds from FIRST on. SPREAD is that of the noise in per cent; with an "o"
// after it, one sample in 50 takes ten times as long; with a "c", collectives are measured, too. Prints, for
// each figure, how often the truth was inside its interval, outside, or the figure named undetermined;
// BUSLINE_WRONG=1 shows each one outside.
#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "tests/calibration/coverage.hpp"
#include "tests/calibration/secret_platform.hpp"

namespace {

using namespace busline;
using namespace busline::calibrate;

struct Counts {
  unsigned right = 0, wrong = 0, undetermined = 0;
};

bool cover(std::string_view name, std::string_view spread, std::uint64_t seeds, std::uint64_t first) {
  const auto secret = named_secret(name);
  if (!secret) return false;
  SecretNoise noise{std::strtod(spread.data(), nullptr) / 100};
  if (spread.find('o') != spread.npos) noise.tenfold_once = 50;
  const bool collectives = spread.find('c') != spread.npos;
  const bool show = std::getenv("BUSLINE_WRONG") != nullptr;
  std::map<std::string, Counts> counts;
  for (auto seed = first; seed < first + seeds; ++seed) {
    const auto measured = measured_secret(*secret, noise, seed, collectives);
    if (!measured) return false;
    const auto found = calibrate::calibrate({*measured});
    if (!found) return false;
    for (const auto& v : judge(*secret, found->platform)) {
      auto& c = counts[v.figure];
      ++(v.verdict == Verdict::right ? c.right : v.verdict == Verdict::wrong ? c.wrong : c.undetermined);
      if (show && v.verdict == Verdict::wrong)
        fmt::print("# {} {} {} {} {}\n", name, spread, seed, v.figure, v.text);
    }
    for (const auto& suite : measured->suites) {
      if (suite.pattern != measure::Pattern::collective) continue;
      const auto error = suite_error(suite, *secret, found->platform);
      auto& c = counts[suite.name];
      const double tolerated = noise.spread > 0 ? 3 * noise.spread : 0.02;
      const bool right = error && error->median <= tolerated;
      ++(right ? c.right : c.wrong);
      if (show && !right)
        fmt::print("# {} {} {} {} median {:.3f} worst {:.3f}\n", name, spread, seed, suite.name,
                   error ? error->median : -1, error ? error->worst : -1);
    }
  }
  for (const auto& [figure, c] : counts)
    fmt::print("{} {} {} {} {} {}\n", name, spread, figure, c.right, c.wrong, c.undetermined);
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: calibrate_coverage SPREAD SEEDS FIRST NAME...\n");
    return 2;
  }
  for (int i = 4; i < argc; ++i)
    if (!cover(argv[i], argv[1], std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10))) {
      fmt::print(stderr, "{} cannot be measured and calibrated\n", argv[i]);
      return 1;
    }
  return 0;
}
