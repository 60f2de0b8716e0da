#include "validation/calibrate/self_check.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::calibrate;

namespace {

/// Sizes 1, 2, 4, ... 1 MiB that take 1 ms, with two samples that lie `spread` (a ratio) apart.
measure::Suite suite(measure::Pattern pattern, double spread) {
  measure::Suite s;
  s.name = "suite";
  s.pattern = pattern;
  s.varies = measure::Varies::bytes;
  for (std::uint64_t bytes = 1; bytes <= 1U << 20U; bytes *= 2) {
    measure::Point p;
    p.argument = bytes;
    p.result_ps.value = 1e9;
    p.samples = {Duration::from_double(1e9), Duration::from_double(1e9 * spread)};
    s.points.push_back(p);
  }
  return s;
}

/// Each point missed by the ratio `missed`, those of `from` bytes and more by `missed_from`.
CalibratedSuite check(const measure::Suite& s, double missed, std::uint64_t from = UINT64_MAX,
                      double missed_from = 1) {
  std::vector<Residual> residuals;
  for (const auto& p : s.points)
    residuals.push_back({s.name, p.argument, 1e9, 1e9 * (p.argument >= from ? missed_from : missed), false});
  Platform platform;
  platform.machines.emplace_back();
  const auto checked = check_suites(residuals, {s}, platform);
  REQUIRE(checked.size() == 1);
  return checked.front();
}

using measure::Pattern;

}  // namespace

TEST_CASE("a suite is off when its median is missed by more than 5 %, a collective's by more than 10 %") {
  CHECK_FALSE(check(suite(Pattern::pingpong, 1.001), 1.04).off);
  CHECK(check(suite(Pattern::pingpong, 1.001), 1.06).off);
  CHECK(check(suite(Pattern::pingpong, 1.001), 0.94).off);
  CHECK_FALSE(check(suite(Pattern::collective, 1.001), 1.09).off);
  CHECK(check(suite(Pattern::collective, 1.001), 1.12).off);
}

TEST_CASE("what samples spread by is not held against a platform") {
  const auto s = check(suite(Pattern::pingpong, 1.5), 1.3);
  CHECK(s.spread == doctest::Approx(0.203).epsilon(0.01));
  CHECK_FALSE(s.off);
  CHECK(check(suite(Pattern::pingpong, 1.1), 1.3).off);
}

TEST_CASE("an octave that is far off shows, although the median does not") {
  CHECK_FALSE(check(suite(Pattern::pingpong, 1.001), 1, 1U << 20U, 1.1).off);
  const auto s = check(suite(Pattern::pingpong, 1.001), 1, 1U << 20U, 1.2);
  CHECK(s.off);
  CHECK(s.median_error == 0);
  CHECK(s.worst_at == 1U << 20U);
}
