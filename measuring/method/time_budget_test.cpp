#include "measuring/method/time_budget.hpp"

#include <doctest/doctest.h>

namespace {

using namespace busline;
using namespace busline::measure;

Duration s(double seconds) {
  return Duration::seconds(seconds);
}

}  // namespace

TEST_CASE("each suite gets its share of what is left") {
  TimeBudget budget(s(60), s(5), 6);
  CHECK(budget.next(s(5), 3) == s(30));
  // It took 50 s instead of 30; 10 s are left for shares of 1 and 2.
  CHECK(budget.next(s(55), 1)->in_seconds() == doctest::Approx(10.0 / 3));
  // That one took no time: all for the last.
  CHECK(budget.next(s(55), 2) == s(10));
  CHECK_FALSE(budget.is_used_up(s(64)));
  CHECK(budget.is_used_up(s(65)));
}

TEST_CASE("a budget that is used up leaves nothing, and one without a limit everything") {
  TimeBudget budget(s(1), s(0), 2);
  CHECK(budget.next(s(3), 1) == Duration());
  TimeBudget endless({}, s(0), 2);
  CHECK_FALSE(endless.next(s(3), 1));
  CHECK_FALSE(endless.is_used_up(s(1e6)));
}

TEST_CASE("the cost of a larger argument is extrapolated on a line, and costs never shrink") {
  CostForecast forecast;
  CHECK(forecast.at(100) == Duration());
  forecast.add(0, s(1));
  CHECK(forecast.at(100) == s(1));
  forecast.add(100, s(3));
  CHECK(forecast.at(50) == s(3));
  CHECK(forecast.at(200) == s(5));
  forecast.add(200, s(2));  // noise
  CHECK(forecast.at(400) == s(2));
  CHECK(forecast.at(200) == s(2));
}

TEST_CASE("a forecast that no clock can count is a large one") {
  CostForecast forecast;
  forecast.add(0, s(0));
  forecast.add(1, s(1e6));
  CHECK(forecast.at(std::uint64_t{1} << 53U) > s(1e6));
}
