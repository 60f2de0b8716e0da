// What commands print with --json is what the schemas say, which other programs read it by.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "documents/text/test_documents.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "studies/accuracy/comparison_report.hpp"
#include "studies/accuracy/validation_fields.hpp"
#include "studies/runs/curve_report.hpp"
#include "studies/runs/result_fields.hpp"
#include "studies/runs/simulate_report.hpp"

using namespace busline;
using nlohmann::json;
using Strings = std::vector<std::string>;

namespace {

constexpr Duration kTime = Duration::picoseconds(5);

Why explained() {
  Why why;
  PathParts parts{};
  parts.front() = kTime;
  why.path.total = kTime;
  why.path.parts = parts;
  why.path.by_rank = {parts};
  why.path.calls = {{"MPI_Recv", parts, kTime}, {"", parts, kTime}};
  why.path.longest = {{Time(), kTime, PathCause::transfer, RankId{0}, 0}};
  why.path.latest = {{Time(), kTime, RankId{0}, RankId{1}, 0}};
  why.advice = {{.figure = AdviceFigure::latency, .checks = {{-0.1, 0, -0.01}}}};
  why.steps = {{"twice the latency", Time(), Time()}};
  why.efficiency = PopEfficiency{1, 1, 1, Time()};
  why.resolution = Resolution{1, Time(), Time()};
  return why;
}

PredictionInterval uncertain() {
  PredictionInterval i;
  i.share = 0.9;
  i.predicted = i.shortest = i.longest = kTime;
  i.runs = 60;
  i.figures = {"/network/latency"};
  i.causes = {{kFigures, 1, 0.1, kTime}};
  return i;
}

SimulateReport simulated() {
  SimulateReport r;
  r.traced_run_time = kTime;
  r.region = "from 'MPI_Barrier:1'";
  r.result.run_time = Time::at(kTime);
  r.result.collective_messages = 1;
  r.result.ranks.resize(1);
  r.result.ranks.front().start = Time::at(kTime);
  r.result.ranks.front().times.compute = kTime;
  r.result.ranks.front().collective_messages = 1;
  r.result.resources = {{{ResourceKind::bus, ResourceId::kOnly}, 0, kTime, kTime, 1, 1},
                        {{ResourceKind::link_out, 0}, 1, kTime, kTime, 1, 1}};
  r.result.region = RegionResult{kTime, {RankTimes{}}};
  r.interval = uncertain();
  r.noise = NoiseRuns{.runs = 10, .quiet = kTime, .all = {kTime, kTime, kTime, 5}};
  r.noise->kinds = {{"/noise/latency", r.noise->all}};
  r.jobs = {{.name = "solver",
             .ranks = 1,
             .run_time = kTime,
             .alone = kTime,
             .waits = {{MeetingPlace::buses, {kTime}}}}};
  r.job_matrix = JobMatrix{{"solver", "fft"}, {kTime, kTime}, {{std::nullopt, 0.1}, {0.2, std::nullopt}}};
  r.real = RealRuns{"cluster", {.runs = 2, .measured = {kTime, kTime, kTime * 2}, .disturbed_runs = 1}};
  r.why = explained();
  r.salvaged = SalvageReport{};
  r.salvaged->files.push_back(
      {.rank = 1, .path = "trace.bin", .records = 2, .recorded = 3, .offset = 8, .why = "cut"});
  r.salvaged->early_ends.emplace_back();
  r.salvaged->early_ends.back().call = 1;
  r.diagnostics = {full_warning()};
  return r;
}

SimulateReport deadlocked() {
  auto r = simulated();
  r.result.status = Result::Status::deadlock;
  r.result.blocked = {{0, 1, "MPI_Recv", "a message from rank 1"}};
  return r;
}

compare::RunComparison run() {
  compare::RunComparison r;
  r.command = {"jacobi2d"};
  r.ranks = 1;
  r.region.from = CallRef{"MPI_Barrier", 1};
  r.runs = 2;
  r.measured = {kTime, kTime, kTime * 2};
  r.disturbed_runs = 1;
  r.traced_time = kTime;
  r.predicted = kTime;
  r.interval = uncertain();
  r.rank_calls = {{kTime, kTime, {{"MPI_Recv", kTime, kTime}}}};
  return r;
}

ValidationReport validated() {
  ValidationReport r;
  r.model = "dimemas";
  r.runs = {run(), run()};
  r.runs.front().alternatives = {{"sharing as /network/buses=2", Duration::picoseconds(150)}};
  r.runs.back().runs = 1;
  r.runs.back().traced_on = "other cluster";
  r.runs.back().status = Result::Status::deadlock;
  r.runs.back().blocked = {{0, 1, "MPI_Recv", "a message from rank 1"}};
  r.most_spread = 2;
  r.limits = {0.1, 0.05};
  using Kind = compare::BaselineChange::Kind;
  r.baseline = BaselineReport{.file = "errors.json", .changes = {}};
  for (const auto kind : {Kind::worse, Kind::better, Kind::added, Kind::gone})
    r.baseline->changes.push_back({kind, "cluster", "jacobi2d", 0.1, 0.2});
  r.diagnostics = {full_warning()};
  return r;
}

ComparisonReport compared() {
  compare::SuiteComparison curve, links;
  curve.suite = "pingpong";
  curve.points = {{8, {}, 1000, 1100}};
  links.suite = "linktest";
  links.points = {{1, {0, 1}, 1000, 1100}};
  links.rank_correlation = 0.5;
  links.links = 10;
  ComparisonReport r;
  r.comparison.suites = {curve, links};
  r.comparison.only_first = {"work"};
  r.comparison.only_second = {"MPI_Bcast"};
  r.left_out = {{"work", "it measures a CPU"}};
  r.diagnostics = {full_warning()};
  return r;
}

CurveReport curve() {
  CurveReport r;
  r.range = {CurveAxis::latency, 0, 1e-3};
  r.curve.pieces = {{0, {100, 0}}, {0.5, {50, 100}}};
  r.own_run_time = Duration::picoseconds(100);
  r.contended_run_time = Duration::picoseconds(110);
  r.slowdowns = {0, 1};
  r.asked = {1e-6};
  r.diagnostics = {full_warning()};
  return r;
}

CurveReport out_of_reach() {
  auto r = curve();
  r.range = {CurveAxis::bandwidth, std::numeric_limits<double>::infinity(), 1e9};
  r.own_run_time = Duration::picoseconds(10);
  r.contended_run_time.reset();
  return r;
}

}  // namespace

TEST_CASE("documents conform to their schemas, and have every member that these name") {
  const std::vector<std::pair<std::string, std::vector<json>>> all{
      {"result", {printed(to_json(simulated())), printed(to_json(deadlocked()))}},
      {"validation", {printed(to_json(validated()))}},
      {"comparison", {printed(to_json(compared()))}},
      {"curve", {printed(to_json(curve())), printed(to_json(out_of_reach()))}}};
  for (const auto& of_schema : all) {
    CAPTURE(of_schema.first);
    const auto schema = read_schema(BUSLINE_SOURCE_DIR "/studies", of_schema.first);
    for (const auto& document : of_schema.second)
      CHECK(SchemaCheck::differences(schema, document) == Strings());
    for (const auto& unnoticed : unnoticed_properties(schema, of_schema.second)) FAIL_CHECK(unnoticed);
  }
}

TEST_CASE("a document that violates its schema is reported with the place") {
  const auto schema = read_schema(BUSLINE_SOURCE_DIR "/studies", "comparison");
  auto document = printed(to_json(compared()));
  document["colour"] = "red";
  document.erase("first");
  document["suites"][0]["points"][0]["argument"] = -1;
  document["suites"][1]["points"][0]["first_ps"] = "1 ns";
  document["schema"] = "busline/comparison/0";
  CHECK(SchemaCheck::differences(schema, document) ==
        Strings{"/first is missing", "/colour is not in the schema",
                "/schema is not \"busline/comparison/1\"", "/suites/0/points/0/argument -1 is too small",
                "/suites/1/points/0/first_ps is of another type"});
}

TEST_CASE("schemas of results are those that are generated from their descriptions") {
  const std::string room = BUSLINE_SOURCE_DIR "/studies";
  check_generated<SimulateReport>(room, "result",
                                  "The result of one simulated run: 'busline simulate --json'");
  check_generated<ValidationReport>(room, "validation",
                                    "Predictions compared with real runs: 'busline validate --json'");
  check_generated<ComparisonReport>(room, "comparison",
                                    "Two measurements of the same things: 'busline compare --json', 'busline "
                                    "validate --json' of a measurement");
  check_generated<CurveReport>(room, "curve",
                               "The run time as a function of a machine parameter: 'busline curve --json'");
  check_generated<calibrate::Calibrated>(
      room, "calibration",
      "A platform from measurements, and how far it is from each of them: 'busline calibrate --json'");
}
