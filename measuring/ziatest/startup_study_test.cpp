#include "measuring/ziatest/startup_study.hpp"

#include <doctest/doctest.h>

#include "measuring/measurement/measurement_json.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::ziatest;

namespace {

using Steps = std::vector<std::uint32_t>;

// Each node takes a millisecond more; nothing is known of phases. The launch of `interrupted` nodes does not
// end.
class SlowTestbed : public measure::Testbed {
 public:
  explicit SlowTestbed(std::uint32_t interrupted = 0) : interrupted_(interrupted) {}
  measure::TestbedKind kind() const override { return measure::TestbedKind::local; }
  const std::vector<measure::RankPlace>& placement() const override { return places_; }
  measure::MeasuredMachine machine() const override {
    measure::MeasuredMachine m;
    m.name = "slow";
    return m;
  }
  measure::MeasuringClock clock() const override { return {}; }
  Duration elapsed() const override { return {}; }
  Expected<measure::KernelSamples> run(const Kernel&, const measure::RunPlan&) override {
    return measure::KernelSamples{};
  }
  Expected<LaunchTimes> launch(const LaunchJob& job) override {
    LaunchTimes times;
    if (job.exchange.nodes == interrupted_) return times;
    times.stamps.resize(job.exchange.ranks());
    times.stamps.front() = ms(job.exchange.nodes);
    return times;
  }

 private:
  std::uint32_t interrupted_;
  std::vector<measure::RankPlace> places_;
};

// Cannot launch.
class PlainTestbed : public SlowTestbed {
 public:
  Expected<LaunchTimes> launch(const LaunchJob& job) override { return Testbed::launch(job); }
};

Steps launched(const StartupStudy& study) {
  Steps nodes;
  for (const auto& result : study.results) nodes.push_back(result.job.exchange.nodes);
  return nodes;
}

}  // namespace

TEST_CASE("a scaling study has tenfold steps and ends with the whole machine") {
  CHECK(scaling_steps(1) == Steps{1});
  CHECK(scaling_steps(2) == Steps{2});
  CHECK(scaling_steps(3) == Steps{2, 3});
  CHECK(scaling_steps(20) == Steps{2, 20});
  CHECK(scaling_steps(128) == Steps{2, 20, 128});
  CHECK(scaling_steps(2000) == Steps{2, 20, 200, 2000});
  CHECK(scaling_steps(4'294'967'295).size() == 11);
}

TEST_CASE("a study becomes a suite over nodes, which a document can hold") {
  SlowTestbed testbed;
  const auto study = run_startup(testbed, {{Variant::lanl, 1, 4}, Bytes{500}}, {2, 20});
  REQUIRE(study);
  CHECK_FALSE(study->interrupted);
  const auto suite = startup_suite(study->results);
  CHECK(suite.launch == measure::LaunchSubject{Variant::lanl, 4, 500});
  CHECK(suite.bytes == 4);
  REQUIRE(suite.points.size() == 2);
  CHECK(suite.points[1].argument == 20);
  CHECK(suite.points[1].result_ps.value == 2e10);
  CHECK(suite.points[1].launch == measure::LaunchDetails{0, {}});
  auto document = measure::measurement_on(testbed);
  document.suites = {suite};
  const auto back = measure::parse_measurement(to_json_text(document), "back.json");
  if (!back) FAIL(to_string(back.error()));
  CHECK(back->suites == document.suites);
}

TEST_CASE("what was launched before an interruption is kept") {
  SlowTestbed testbed(20);
  const auto inside = run_startup(testbed, {}, {2, 20, 200});
  REQUIRE(inside);
  CHECK(inside->interrupted);
  CHECK(launched(*inside) == Steps{2});
  const auto before = run_startup(testbed, {}, {2, 3, 4}, [](std::uint32_t nodes) { return nodes < 4; });
  REQUIRE(before);
  CHECK(before->interrupted);
  CHECK(launched(*before) == Steps{2, 3});
}

TEST_CASE("a launch that fails ends the study, and those before it are kept") {
  class FailsFrom20 : public SlowTestbed {
   public:
    Expected<LaunchTimes> launch(const LaunchJob& job) override {
      return job.exchange.nodes < 20 ? SlowTestbed::launch(job) : Testbed::launch(job);
    }
  } testbed;
  const auto study = run_startup(testbed, {}, {2, 3, 20, 200});
  REQUIRE(study);
  CHECK(launched(*study) == Steps{2, 3});
  CHECK_FALSE(study->interrupted);
  REQUIRE(study->failed);
  CHECK(study->failed->message == "this testbed cannot launch other jobs");
}

TEST_CASE("a testbed that cannot launch jobs says so") {
  PlainTestbed testbed;
  const auto study = run_startup(testbed, {}, {2});
  REQUIRE_FALSE(study);
  CHECK(to_string(study.error()) == "this testbed cannot launch other jobs");
}
