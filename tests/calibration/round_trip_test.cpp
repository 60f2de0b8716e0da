// Random platforms are measured with noise, calibrated, and compared. Twenty of them: calibrate_round_trip.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/calibration/secret_platform.hpp"

using namespace busline;
using namespace busline::calibrate;

// Half a minute for each platform under sanitizers, where the command-line cases calibrate, too.
#ifndef BUSLINE_SANITIZED
TEST_CASE("calibration finds the platform that was measured with 5 % noise") {
  constexpr double kNoise = 0.05;
  for (const std::uint64_t seed : {1U, 6U, 10U, 15U, 20U}) {
    CAPTURE(seed);
    const auto secret = secret_platform(seed);
    const auto measured = measured_secret(secret, {kNoise}, seed);
    REQUIRE(measured);
    const auto found = calibrate::calibrate({*measured});
    REQUIRE(found);
    const auto c = compare(secret, found->platform, kNoise);
    CHECK(std::abs(c.latency_error) <= 0.03);
    CHECK(std::abs(c.bandwidth_error) <= 0.01);
    CHECK(c.links_found);
    CHECK(c.buses_found);
    CHECK(c.limit_right);
    CHECK(c.latency_at_right);
  }
}
#endif
