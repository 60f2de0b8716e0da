#include "measuring/measurement/measurement.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "measuring/measurement/measurement_json.hpp"
#include "sim/base/test_text.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

constexpr std::string_view kSmall = R"({
  "schema": "busline/measurement/1",
  "testbed": "simulated",
  "machine": {"name": "small"},
  "suites": [
    {"name": "a", "operation": "MPI_Send / MPI_Recv", "pattern": "pingpong", "time": "round-trip", "varies": "bytes",
     "ranks": [0, 1], "messages": 1, "warmup": 5,
     "points": [
       {"argument": 8, "result_ps": 1000, "standard_error_ps": 0, "count": 4},
       {"argument": 16, "result_ps": 2000.5, "standard_error_ps": 1.5, "count": 4, "samples_ps": [1, 2, 3]}
     ]}
  ],
  "provenance": {"tool": "busline", "version": "0", "command": [], "wall_s": 0, "user_s": 0}
})";

// kSmall with the first `from` replaced.
std::string measurement_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kSmall), from, to);
}

std::string measurement_refusal(std::string_view from, std::string_view to) {
  const auto m = parse_measurement(measurement_with(from, to), "m.json");
  return m ? "" : to_string(m.error());
}

// Has every member.
Measurement full() {
  RepetitionControl control({.max_repetitions = 8, .time_limit = Duration::seconds(1)});
  for (std::int64_t i = 0; !control.add(Duration::picoseconds(1'000'000 + i % 3 * 100'000), Duration());
       ++i) {
  }
  Suite suite;
  suite.name = "MPI_Send-MPI_Recv";
  suite.operation = "MPI_Send / MPI_Recv";
  suite.route_class = RouteClass::inter_node;
  suite.chunks = 6;
  suite.ranks = {0, 32};
  suite.nodes = {0, 1};
  suite.concurrent = 3;
  suite.warmup = 5;
  suite.launch = LaunchSubject{ziatest::Variant::lanl, 4, 104'857'600};
  suite.overhead_ps = {12.5, 0.25};
  suite.repetition = RepetitionRules{.rule = StopRule::median_interval, .time_limit = Duration::seconds(2)};
  suite.points.push_back(point_of(1024, control.outcome(), control.samples()));
  auto& measured = suite.points.back();
  measured.settled = false;
  measured.refined = true;
  measured.batch = 8;
  suite.buffers = 4;
  suite.lead_in = LeadIn::verdict_and_barrier;
  measured.node_results_ps = {1.5, 2.5};
  measured.launch =
      LaunchDetails{7,
                    {{ziatest::Phase::start, Duration::picoseconds(3), Duration::picoseconds(2)},
                     {ziatest::Phase::pair, {}, {}}}};
  Point merged;
  merged.argument = 16;
  merged.ranks = {1, 0};
  merged.result_ps = {5, 0.5};
  merged.interpolated = true;
  merged.merged = PointSpread{3, 1, {4, 6}};
  suite.points.push_back(merged);
  Measurement m;
  m.testbed = TestbedKind::mpi;
  m.machine = {"cluster", {"n001", "n002"}, 32, "EPYC", "Open MPI v4.1.4", "core", "17", "<xml/>"};
  m.clock = MeasuringClock{"MPI_Wtime", Duration::picoseconds(1000), Duration::picoseconds(24'000)};
  m.merged = MergedFrom{MergeRule::robust, {"a.json", "b.json"}};
  suite.ended_by = SuiteEnd::time_limit;
  m.budget = BudgetUse{Duration::seconds(60), Duration::seconds(61), {"last"}};
  m.suites = {suite};
  m.provenance = {"busline-harness", "0.1.0", "abc", {"busline", "measure"}, 1.5, 0.5, {{"p.json", "00"}}};
  return m;
}

}  // namespace

TEST_CASE("a measurement with every member survives a round trip") {
  const auto m = full();
  const auto back = parse_measurement(to_json_text(m), "back.json");
  if (!back) FAIL(to_string(back.error()));
  CHECK(*back == m);
  CHECK(to_json_text(*back) == to_json_text(m));
}

TEST_CASE("members that say nothing are left out") {
  const auto small = parse_measurement(std::string(kSmall), "m.json");
  if (!small) FAIL(to_string(small.error()));
  const auto document = to_json(*small);
  CHECK(document == nlohmann::ordered_json::parse(kSmall));
  CHECK(small->suites[0].points[1].samples ==
        std::vector{Duration::picoseconds(1), Duration::picoseconds(2), Duration::picoseconds(3)});
  CHECK(small->suites[0].points[1].settled);
}

TEST_CASE("a point records what ASEC did") {
  const auto m = full();
  const auto& p = m.suites[0].points[0];
  CHECK(p.stop == Stop::max_repetitions);
  CHECK(p.time_ps->count == 8);
  CHECK(p.samples.size() == 8);
  CHECK(p.count == 4);
}

TEST_CASE("a misspelt key is refused with the nearest one and its place") {
  CHECK(measurement_refusal("\"warmup\"", "\"warm_up\"") ==
        "m.json:7:38: /suites/0/warm_up: unknown key 'warm_up'; did you mean 'warmup'?");
  CHECK(measurement_refusal("\"count\": 4}", "\"n\": 4}") ==
        "m.json:9:67: /suites/0/points/0/n: unknown key 'n', expected one of argument, ranks, result_ps, "
        "standard_error_ps, count, stop, settled, refined, interpolated, batch, merged, time_ps, samples_ps, "
        "node_results_ps, launch");
}

TEST_CASE("errors in a measurement name their place") {
  CHECK(measurement_refusal("busline/measurement/1", "busline/measurement/0") ==
        "m.json:2:13: /schema: expected \"busline/measurement/1\", found \"busline/measurement/0\"");
  CHECK(measurement_refusal("\"pingpong\"", "\"ping-pong\"").find("did you mean \"pingpong\"?") !=
        std::string::npos);
  CHECK(measurement_refusal("\"messages\": 1, ", "") == "m.json:6:5: /suites/0: 'messages' is missing");
  CHECK(measurement_refusal("\"result_ps\": 1000", "\"result_ps\": -1") ==
        "m.json:9:37: /suites/0/points/0/result_ps: expected a number of 0 or more, found -1");
  CHECK(measurement_refusal("[1, 2, 3]", "[1, 2.5]") ==
        "m.json:10:102: /suites/0/points/1/samples_ps/1: expected a whole number from 0 to "
        "9223372036854775807, "
        "found 2.5");
  CHECK(measurement_refusal("\"ranks\": [0, 1]", "\"ranks\": [0, -1]")
            .find("/suites/0/ranks/1: expected a whole number") != std::string::npos);
  CHECK(measurement_refusal("\"argument\": 16", "\"argument\": 8") ==
        "m.json:10:8: /suites/0/points/1: argument 8 follows 8, expected points in ascending order without "
        "duplicates");
  CHECK(measurement_refusal("\"ranks\": [0, 1]", "\"ranks\": [0, 1], \"nodes\": [0]") ==
        "m.json:7:32: /suites/0/nodes: nodes has 1 element, expected one for each of 2 ranks");
}

TEST_CASE("a measurement file truncated anywhere is refused") {
  for (std::size_t size = 0; size < kSmall.size(); ++size) {
    const auto m = parse_measurement(std::string(kSmall.substr(0, size)), "m.json");
    REQUIRE_FALSE(m);
    CHECK(m.error().line.has_value());
  }
}

TEST_CASE("figures that contradict each other are refused") {
  auto m = full();
  m.suites[0].points[0].samples.pop_back();
  CHECK(to_string(parse_measurement(to_json_text(m), "m").error())
            .find("found 7 samples, but time_ps counts 8") != std::string::npos);
  m = full();
  m.suites[0].repetition->cut_quantile = 0.5;
  CHECK(to_string(parse_measurement(to_json_text(m), "m").error()).find("the cut quantile is 0.5") !=
        std::string::npos);
  m = full();
  m.suites.push_back(m.suites[0]);
  CHECK(to_string(parse_measurement(to_json_text(m), "m").error())
            .find("another suite is also named 'MPI_Send-MPI_Recv'") != std::string::npos);
  m = full();
  m.suites[0].points[1].merged->results_ps = {6, 4};
  CHECK(to_string(parse_measurement(to_json_text(m), "m").error())
            .find("expected a list of two numbers, the lower one first") != std::string::npos);
}

TEST_CASE("points are put in order by ranks and argument") {
  Suite s;
  for (const auto& [rank, argument] : {std::pair{1U, 8U}, {0U, 16U}, {1U, 4U}, {0U, 2U}}) {
    Point p;
    p.ranks = {rank, 2};
    p.argument = argument;
    s.points.push_back(p);
  }
  sort_points(s);
  std::string order;
  for (const auto& p : s.points) order += std::to_string(p.ranks[0]) + ":" + std::to_string(p.argument) + " ";
  CHECK(order == "0:2 0:16 1:4 1:8 ");
}
