#include "validation/compare/baseline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::compare;

namespace {

/// Predicted and measured in ms, of runs that all took the same time.
RunComparison comparison(const char* program, int predicted, int measured) {
  RunComparison c;
  c.machine = "m";
  c.program = program;
  c.command = {program};
  c.region.from = CallRef{"MPI_Barrier", 1};
  c.predicted = Duration::seconds(predicted * 1e-3);
  const auto time = Duration::seconds(measured * 1e-3);
  c.measured = {time, time, time};
  c.runs = 3;
  return c;
}

Baseline baseline(const std::vector<RunComparison>& runs) {
  const auto made = baseline_of(runs, judge(runs));
  REQUIRE(made);
  return *made;
}

std::string changes(const Baseline& before, const Baseline& now, double tolerance = kTolerance) {
  constexpr const char* kNames[] = {"worse", "better", "added", "gone"};
  std::string text;
  for (const auto& c : changes_since(before, now, tolerance))
    text +=
        fmt::format("{} {} {:+.3f} {:+.3f}; ", kNames[static_cast<int>(c.kind)], c.program, c.before, c.now);
  return text;
}

}  // namespace

TEST_CASE("a baseline reports what became worse, better, was added and is gone") {
  const auto before =
      baseline({comparison("a", 102, 100), comparison("b", 90, 100), comparison("d", 103, 100)});
  const auto now = baseline({comparison("a", 97, 100), comparison("b", 105, 100), comparison("c", 100, 100)});
  CHECK(changes(before, now) ==
        "worse a +0.020 -0.030; better b -0.100 +0.050; added c +0.000 +0.000; gone d +0.030 +0.000; ");
  CHECK(changes(before, before) == "");
}

TEST_CASE("an error that grows within the tolerance is no change") {
  const auto before = baseline({comparison("a", 1020, 1000)});
  CHECK(changes(before, baseline({comparison("a", 1024, 1000)})) == "");
  CHECK(changes(before, baseline({comparison("a", 976, 1000)})) == "");
  CHECK(changes(before, baseline({comparison("a", 1026, 1000)})) == "worse a +0.020 +0.026; ");
  CHECK(changes(before, baseline({comparison("a", 1026, 1000)}), 0.01) == "");
}

TEST_CASE("a baseline is the same bytes whatever the order of the runs, and comes back equal") {
  const TestFolder folder;
  const auto path = folder.file("baseline.json"), other = folder.file("other.json");
  const auto written = baseline({comparison("b", 90, 100), comparison("a", 102, 100)});
  REQUIRE(write_baseline(written, path));
  REQUIRE(write_baseline(baseline({comparison("a", 102, 100), comparison("b", 90, 100)}), other));
  CHECK(folder.read("baseline.json") == folder.read("other.json"));
  CHECK(*read_baseline(path) == written);
}

TEST_CASE("runs that a baseline could not distinguish are refused") {
  const std::vector same{comparison("a", 1, 2), comparison("a", 2, 2)};
  const auto refused = baseline_of(same, judge(same));
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()) ==
        "--baseline: found two run sets of a on m with the same command\n"
        "  a baseline identifies a run set by machine, name, command and region; name one with "
        "'busline-measure record --name'");
  auto other = same;
  other[1].command.emplace_back("--large");
  CHECK(baseline_of(other, judge(other))->runs.size() == 2);
}

TEST_CASE("runs that do not count are not in a baseline") {
  std::vector runs{comparison("a", 1, 2), comparison("b", 2, 2), comparison("c", 2, 2)};
  runs[0].status = Result::Status::deadlock;
  runs[1].measured.most = Duration::seconds(1);
  CHECK(baseline(runs).runs.size() == 1);
}

TEST_CASE("an invalid baseline is refused with the place") {
  const TestFolder folder;
  const auto refusal = [&](const char* text) {
    folder.write("b.json", text);
    return folder.shortened(to_string(read_baseline(folder.file("b.json")).error()));
  };
  CHECK(refusal("{\"schema\": \"busline/run-set/1\"}").find("F/b.json:1:12: /schema") == 0);
  CHECK(refusal(R"({"schema": "busline/validation-baseline/1", "runs": [
    {"machine": "m", "program": "a", "command": [], "predicted_ps": 1, "measured_ps": 0}]})") ==
        "F/b.json:2:87: /runs/0/measured_ps: expected more than 0, found 0");
  CHECK(refusal(R"({"schema": "busline/validation-baseline/1", "runs": [
    {"machine": "m", "program": "a", "command": [], "predicted_ps": 1, "measured_ps": 1},
    {"machine": "m", "program": "a", "command": [], "predicted_ps": 2, "measured_ps": 1}]})")
            .find("a on m occurs twice") != std::string::npos);
}
