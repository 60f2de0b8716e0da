#include "measuring/measurement/launch_times.hpp"

#include <doctest/doctest.h>

#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::ziatest;

namespace {

std::vector<Duration> all_ms(std::initializer_list<std::int64_t> numbers) {
  std::vector<Duration> durations;
  for (const auto n : numbers) durations.push_back(ms(n));
  return durations;
}

}  // namespace

TEST_CASE("the last stamp is the result, and of equal ones that of the highest rank") {
  LaunchTimes times;
  times.stamps = {ms(5), std::nullopt, ms(7), ms(7), ms(6), std::nullopt};
  const auto result = startup_result({{Variant::seed, 6, 1}}, times);
  CHECK(result.total == ms(7));
  CHECK(result.slowest_rank == 3);
  CHECK(result.phases.empty());
}

TEST_CASE("phases add up to the total, along the last ranks and along the slowest one") {
  LaunchTimes times;
  times.ends = {all_ms({1, 2}), all_ms({4, 3}), all_ms({5, 5}), all_ms({6, 7}), all_ms({8, 8})};
  times.stamps = {ms(9), ms(10)};
  const auto result = startup_result({{Variant::lanl, 2, 1}}, times);
  CHECK(result.total == ms(10));
  CHECK(result.slowest_rank == 1);
  CHECK(result.phases == std::vector<PhaseTime>{{Phase::start, ms(2), ms(2)},
                                                {Phase::image, ms(2), ms(1)},
                                                {Phase::daemon, ms(1), ms(2)},
                                                {Phase::spawn, ms(2), ms(2)},
                                                {Phase::init, ms(1), ms(1)},
                                                {Phase::pair, ms(2), ms(2)}});
}

TEST_CASE("phases add up even if a rank that takes no stamp seems to be later than the last stamp") {
  LaunchTimes times;
  times.ends = {all_ms({1, 1}), all_ms({1, 1}), all_ms({1, 1}), all_ms({1, 1}), all_ms({4, 9})};
  times.stamps = {ms(6), std::nullopt};
  const auto result = startup_result({{Variant::seed, 2, 1}}, times);
  CHECK(result.phases[4] == PhaseTime{Phase::init, ms(5), ms(3)});
  CHECK(result.phases[5] == PhaseTime{Phase::pair, Duration(), ms(2)});
}
