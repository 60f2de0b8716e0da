// Suites on a testbed whose times are known: what a time budget leaves of them, and what a coarse clock makes
// of their samples.
#include "measuring/testbed/measure_suite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/durations.hpp"

namespace {

using namespace busline;
using namespace busline::measure;

// A ping-pong of n bytes takes 10 us + n * 1 ns, and asking for a sample 100 us. Times are read on a clock
// with ticks.
class Timed : public Testbed {
 public:
  explicit Timed(Duration tick) : tick_(tick) {}
  TestbedKind kind() const override { return TestbedKind::simulated; }
  const std::vector<RankPlace>& placement() const override { return places_; }
  MeasuredMachine machine() const override { return {}; }
  MeasuringClock clock() const override { return {"coarse", tick_, Duration()}; }
  Duration elapsed() const override { return now_; }
  Expected<KernelSamples> run(const Kernel& kernel, const RunPlan& plan) override {
    const auto one = kernel.operation == "Dummy-p2p"
                         ? Duration()
                         : us(10) + Duration::picoseconds(1000) * times(kernel.bytes);
    now_ += us(100) + one * times(plan.warmup);
    const auto begin = now_;
    now_ += one * times(kernel.messages);
    const Span span{read(begin), read(now_)};
    return KernelSamples{{span}, {span}};
  }

 private:
  static std::int64_t times(std::uint64_t n) { return static_cast<std::int64_t>(n); }
  Duration read(Duration t) const { return Duration::picoseconds(t.count() / tick_.count() * tick_.count()); }

  std::vector<RankPlace> places_{{"a", 0, 0}, {"b", 1, 0}};
  Duration tick_, now_;
};

SuitePlan pingpong_curve(const std::string& name, std::uint64_t largest) {
  SuitePlan plan;
  plan.name = name;
  plan.kernel = {.operation = "MPI_Send-MPI_Recv", .ranks = {0, 1}};
  plan.range = {.scale = Scale::fixed_log, .start = 0, .end = largest, .step = 2};
  plan.limits.max_steps = 100;
  plan.repetition.min_repetitions = plan.repetition.max_repetitions = 100;
  return plan;
}

}  // namespace

TEST_CASE("suites share a time budget, which the run keeps to") {
  Timed testbed(Duration::picoseconds(1));
  // Each suite wants 100 samples of 22 lengths: some 100 x (22 x 110 us + 1 ms) = 0.3 s.
  std::vector<SuitePlan> plans{pingpong_curve("a", 1U << 20U), pingpong_curve("b", 1U << 20U),
                               pingpong_curve("c", 1U << 20U)};
  plans[0].share = 2;
  const auto budget = us(200'000);
  const auto measured = measure_suites(testbed, plans, {}, budget);
  CHECK(testbed.elapsed() <= us(220'000));
  CHECK(testbed.elapsed() >= us(160'000));
  REQUIRE(measured.suites.size() == 3);
  for (const auto& suite : measured.suites) {
    CAPTURE(suite.name);
    CHECK(suite.points.size() == 22);  // the grid, with fewer samples
    CHECK_FALSE(suite.ended_by);
    const auto& point = suite.points.front();
    CHECK(point.stop == Stop::time_limit);
    CHECK(point.result_ps.value == 10e6);
  }
  CHECK(measured.suites[0].points[0].samples.size() > 3 * measured.suites[1].points[0].samples.size() / 2);
  CHECK(measured.left_out.empty());
}

TEST_CASE("points that do not fit into a suite's time are not started, and the suite reports it") {
  Timed testbed(Duration::picoseconds(1));
  auto plan = pingpong_curve("long", 1U << 26U);
  plan.time_limit = us(20'000);
  const auto measured = measure_suite(testbed, plan);
  REQUIRE(measured);
  CHECK(measured->suite.ended_by == SuiteEnd::time_limit);
  CHECK(measured->end == Refinement::End::time_limit);
  // The next length would have been the first one that takes longer than what was left.
  CHECK(testbed.elapsed() <= us(20'000));
  const auto largest = measured->suite.points.back().argument;
  CHECK(largest >= 1U << 16U);
  CHECK(largest <= 1U << 20U);
}

TEST_CASE("suites for which no time is left are named") {
  Timed testbed(Duration::picoseconds(1));
  auto one = pingpong_curve("one", 1);
  one.varies = Varies::nothing;
  auto large = one;
  large.kernel.bytes = 1U << 30U;  // a second, for a budget of a millisecond
  large.name = "large";
  const auto measured = measure_suites(testbed, std::vector{one, large, one}, {}, us(1000));
  CHECK(measured.suites.size() == 2);
  CHECK(measured.suites[1].points[0].samples.size() == 1);
  CHECK(measured.left_out == std::vector<std::string>{"one"});
}

TEST_CASE("a clock with ticks of 100 us gives samples of many calls, a fine one samples of one") {
  auto plan = pingpong_curve("coarse", 1U << 10U);
  plan.repetition.min_repetitions = plan.repetition.max_repetitions = 4;
  Timed coarse(us(100));
  const auto measured = measure_suite(coarse, plan);
  REQUIRE(measured);
  for (const auto& point : measured->suite.points) {
    CAPTURE(point.argument);
    // A tick is 1 % of 10 ms, which are 1000 of these round trips, and the first that was seen was no tick.
    CHECK(point.batch >= 1000);
    CHECK(point.batch <= 2048);
    CHECK(point.samples.size() == 4);
    const auto exact = 10e6 + static_cast<double>(point.argument) * 1e3;
    CHECK(point.result_ps.value == doctest::Approx(exact).epsilon(0.01));
  }
  Timed fine(Duration::picoseconds(100'000));
  const auto single = measure_suite(fine, plan);
  REQUIRE(single);
  for (const auto& point : single->suite.points) CHECK(point.batch == 1);
}

TEST_CASE("the wished resolution decides how many calls a sample has") {
  auto plan = pingpong_curve("resolution", 1U << 10U);
  plan.varies = Varies::nothing;
  // 0; 20 and 10,000 round trips: the powers of 2 beyond them, or twice that.
  for (const auto& [resolution, batch] : {std::pair{0.0, 1U}, {0.5, 32U}, {0.001, 16384U}}) {
    plan.resolution = resolution;
    Timed testbed(us(100));
    const auto measured = measure_suite(testbed, plan);
    REQUIRE(measured);
    CHECK(measured->suite.points[0].batch >= batch);
    CHECK(measured->suite.points[0].batch <= (resolution > 0 ? 2 * batch : 1));
  }
}

TEST_CASE("operations whose repetition changes their meaning are not timed in batches") {
  auto plan = pingpong_curve("window", 1U << 10U);
  plan.varies = Varies::nothing;
  Timed testbed(us(100));
  for (const char* operation : {"window", "stream", "exchange_window"}) {
    plan.kernel.operation = operation;
    const auto measured = measure_suite(testbed, plan);
    REQUIRE(measured);
    CHECK(measured->suite.points[0].batch == 1);
  }
}

TEST_CASE("what is measured so far is shown after each suite") {
  Timed testbed(Duration::picoseconds(1));
  std::vector<std::string> shown;
  measure_suites(testbed, std::vector{pingpong_curve("first", 8), pingpong_curve("second", 8)}, {}, {},
                 [&](const std::vector<Suite>& suites) {
                   for (const auto& s : suites) shown.push_back(s.name);
                 });
  CHECK(shown == std::vector<std::string>{"first", "first", "second"});
}
