#include "validation/compare/simulated_measurement.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "measuring/linktest/linktest_suites.hpp"
#include "measuring/linktest/run_linktest.hpp"
#include "measuring/standard_set/standard_set.hpp"
#include "validation/compare/measurement_comparison.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::compare;

namespace {

constexpr std::uint32_t kNodes = 4;

/// 4 nodes of 2 CPUs, one link each and two buses.
Platform two_bus_machine() {
  auto platform = textbook::machine(kNodes, 2);
  textbook::network_of(platform).buses = 2;
  platform.machines.front().nodes.front().links = {Links::Kind::full_duplex, 1, 1};
  return platform;
}

measure::Measurement measurement_of(const Platform& platform) {
  auto testbed = SimulatedTestbed::create(platform, 2 * kNodes);
  REQUIRE(testbed);
  measure::CalibrationOptions few;
  few.largest = 1U << 16U;
  few.concurrent = 1U << 14U;
  few.max_steps = 8;
  auto suites = measure::measure_suites(**testbed, measure::calibration_set(**testbed, few).suites);
  CHECK(suites.failed.empty());
  auto m = measure::measurement_on(**testbed);
  m.suites = std::move(suites.suites);
  return m;
}

}  // namespace

TEST_CASE("a measurement of a simulated machine is reproduced on that machine, to the picosecond") {
  const auto real = measurement_of(two_bus_machine());
  const auto again = simulate_measurement(real, two_bus_machine(), "dimemas", {});
  REQUIRE(again);
  const auto c = compare_measurements(real, again->measurement);
  REQUIRE(c);
  for (const auto& s : c->suites) {
    CAPTURE(s.suite);
    CHECK(s.points[s.worst].log_ratio() == 0);
    CHECK(s.unmatched == 0);
  }
  // All but the two that measure a CPU, and one whose calls take no time.
  CHECK(again->left_out.size() == 2);
  CHECK(c->suites.size() > 8);
}

TEST_CASE("a slower network shows in the suites that cross it, and in no others") {
  const auto real = measurement_of(two_bus_machine());
  auto slower = two_bus_machine();
  textbook::network_of(slower).latency = textbook::kLatency * 2;
  const auto c = compare_measurements(real, simulate_measurement(real, slower, "dimemas", {})->measurement);
  REQUIRE(c);
  CHECK(c->p95 > 0);
  CHECK(std::any_of(c->suites.begin(), c->suites.end(), [](const auto& s) { return s.p95 == 0; }));
}

TEST_CASE("LinkTest's pairs of a step are simulated at the same time") {
  auto testbed = SimulatedTestbed::create(two_bus_machine(), kNodes);
  REQUIRE(testbed);
  linktest::RunOptions options;
  options.message_bytes = 4096;
  options.messages = 2;
  options.retests = 0;
  const auto result = linktest::run_linktest(**testbed, options);
  REQUIRE(result);
  auto real = measure::measurement_on(**testbed);
  real.suites = linktest::suites_of(*result);
  const auto again = simulate_measurement(real, two_bus_machine(), "dimemas", {});
  REQUIRE(again);
  const auto c = compare_measurements(real, again->measurement);
  REQUIRE(c);
  CHECK(c->p95 < 1e-6);
}

TEST_CASE("collectives of other benchmarks are led in to as they were") {
  auto testbed = SimulatedTestbed::create(two_bus_machine(), kNodes);
  REQUIRE(testbed);
  Kernel kernel;
  kernel.operation = "MPI_Bcast";
  kernel.ranks = measure::all_ranks(**testbed);
  kernel.bytes = 1024;
  auto real = measure::measurement_on(**testbed);
  for (const auto lead_in : {LeadIn::barrier, LeadIn::verdict_and_barrier, LeadIn::none}) {
    const auto samples = (*testbed)->run_as(kernel, {.samples = 2, .lead_in = lead_in});
    REQUIRE(samples);
    auto& suite = real.suites.emplace_back();
    suite.name = std::to_string(real.suites.size());
    suite.operation = kernel.operation;
    suite.pattern = measure::Pattern::collective;
    suite.time = measure::TimeOf::longest_call;
    suite.varies = measure::Varies::bytes;
    suite.ranks = kernel.ranks;
    suite.nodes = measure::nodes_of(**testbed, kernel.ranks);
    suite.lead_in = lead_in;
    auto& point = suite.points.emplace_back();
    point.argument = kernel.bytes;
    point.result_ps.value =
        static_cast<double>(measure::sample_times(*samples, kernel, suite.time).back().count());
  }
  const auto again = simulate_measurement(real, two_bus_machine(), "dimemas", {});
  REQUIRE(again);
  CHECK(compare_measurements(real, again->measurement)->p95 == 0);
}

TEST_CASE("launches are left out by name, and ranks on two nodes refused") {
  measure::Measurement real = measurement_of(two_bus_machine());
  std::erase_if(real.suites, [](const auto& s) { return s.name != "pingpong-inter"; });
  REQUIRE(real.suites.size() == 1);
  auto launch = real.suites.front();
  launch.name = "start";
  launch.pattern = measure::Pattern::startup;
  real.suites.push_back(launch);
  const auto simulated = simulate_measurement(real, two_bus_machine(), "dimemas", {});
  REQUIRE(simulated->left_out.size() == 1);
  CHECK(simulated->left_out.front().suite == "start");
  auto moved = real.suites.front();
  moved.name = "moved";
  for (auto& node : moved.nodes) ++node;
  real.suites.push_back(moved);
  CHECK(
      simulate_measurement(real, two_bus_machine(), "dimemas", {}).error().message.find("in another suite") !=
      std::string::npos);
}

TEST_CASE("an interrupted simulation says so") {
  const auto simulated = simulate_measurement(measurement_of(two_bus_machine()), two_bus_machine(), "dimemas",
                                              [](double) { return false; });
  REQUIRE(simulated);
  CHECK(simulated->interrupted);
}
