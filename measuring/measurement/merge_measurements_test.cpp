#include "measuring/measurement/merge_measurements.hpp"

#include <doctest/doctest.h>

#include <string>

#include "measuring/measurement/measurement_json.hpp"
#include "measuring/method/test_vectors.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

struct MergedRow {
  std::uint64_t argument;
  double result, standard_error;
  std::uint64_t count;
};

Suite suite_of(const std::string& name, const std::vector<MergedRow>& rows,
               const std::vector<std::uint32_t>& ranks = {}) {
  Suite s;
  s.name = name;
  s.operation = name;
  s.ranks = {0, 1};
  for (const auto& row : rows) {
    Point p;
    p.argument = row.argument;
    p.ranks = ranks;
    p.result_ps = {row.result, row.standard_error};
    p.count = row.count;
    p.stop = Stop::precision;
    s.points.push_back(p);
  }
  return s;
}

NamedMeasurement file_of(const std::string& path, std::vector<Suite> suites) {
  Measurement m;
  m.machine.name = "m";
  m.suites = std::move(suites);
  return {path, m};
}

Measurement merged(const std::vector<NamedMeasurement>& runs, MergeRule rule = MergeRule::count) {
  Diagnostics diagnostics;
  auto m = merge_measurements(runs, rule, diagnostics);
  if (!m) FAIL(to_string(m.error()));
  CHECK(diagnostics.empty());
  return *std::move(m);
}

}  // namespace

TEST_CASE("three files are merged as the vectors say") {
  const auto v = mechanism_vectors(BUSLINE_SOURCE_DIR, "amr_merge");
  std::vector<NamedMeasurement> runs;
  for (const auto& file : v.at("files")) {
    std::vector<MergedRow> rows;
    for (const auto& row : file) rows.push_back({row[0], row[1], row[2], row[3]});
    runs.push_back(file_of(std::string(1, static_cast<char>('a' + runs.size())), {suite_of("s", rows)}));
  }
  const auto m = merged(runs);
  CHECK(m.merged == MergedFrom{MergeRule::count, {"a", "b", "c"}});
  const auto& points = m.suites.at(0).points;
  REQUIRE(points.size() == v.at("merged").size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& expected = v.at("merged")[i];
    CHECK(points[i].argument == expected.at("arg").get<std::uint64_t>());
    CHECK(points[i].result_ps.value == doctest::Approx(expected.at("result").get<double>()));
    CHECK(points[i].result_ps.standard_error == expected.at("se").get<double>());
    CHECK(points[i].count == expected.at("count").get<std::uint64_t>());
    CHECK(points[i].merged->runs == expected.at("contributions").size());
  }
  // A measured point is that run's point; an interpolated one was never stopped.
  CHECK(points[0].stop == Stop::precision);
  CHECK(points[2].interpolated);
  CHECK_FALSE(points[2].stop);
  CHECK(points[2].merged == PointSpread{3, 2, {140, 148.46875}});
  CHECK(parse_measurement(to_json_text(m), "m.json") == m);
}

TEST_CASE("pairs of ranks are merged pair by pair") {
  auto a = suite_of("pairs", {{8, 1, 0, 1}, {16, 2, 0, 1}}, {0, 1});
  auto b = suite_of("pairs", {{8, 30, 0, 1}}, {0, 2});
  auto both = a;
  both.points.push_back(b.points[0]);
  const auto m = merged({file_of("a", {a}), file_of("b", {both}), file_of("c", {b})});
  const auto& points = m.suites[0].points;
  REQUIRE(points.size() == 3);
  CHECK(points[0].merged->runs == 2);
  CHECK(points[2].ranks == std::vector<std::uint32_t>{0, 2});
  CHECK(points[2].result_ps.value == 30);
  CHECK(points[2].merged->runs == 2);
}

TEST_CASE("results of single ranks are merged rank by rank") {
  std::vector<NamedMeasurement> runs;
  for (const double shift : {0.0, 10.0, 20.0}) {
    auto s = suite_of("s", {{8, 100 + shift, 1, 4}, {16, 200 + shift, 1, 4}});
    // The first rank is slower from run to run, the second quicker.
    s.points[0].node_results_ps = {100 + shift, 90 - shift};
    s.points[1].node_results_ps = {200 + shift, 190 - shift};
    if (shift == 10) s.points.pop_back();
    runs.push_back(file_of("f", {s}));
  }
  const auto m = merged(runs);
  const auto& points = m.suites[0].points;
  REQUIRE(points.size() == 2);
  REQUIRE(points.size() == 2);
  CHECK(points[0].node_results_ps == std::vector<double>{110, 80});
  CHECK(points[1].node_results_ps == std::vector<double>{200, 170});
}

TEST_CASE("a suite that some files lack is merged from the others, with a warning") {
  Diagnostics diagnostics;
  const auto one = suite_of("one", {{8, 1, 0, 1}}), two = suite_of("two", {{8, 2, 0, 1}});
  const std::vector runs{file_of("a.json", {one}), file_of("b.json", {two, one})};
  const auto m = merge_measurements(runs, MergeRule::count, diagnostics);
  REQUIRE(m);
  REQUIRE(m->suites.size() == 2);
  CHECK(m->suites[0].name == "one");
  CHECK(m->suites[1].name == "two");
  CHECK(m->suites[1].points[0].merged->runs == 1);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].path == "a.json");
  CHECK(diagnostics[0].message == "no suite is named 'two'");
}

TEST_CASE("suites that measured different things are not merged") {
  auto a = suite_of("s", {{8, 1, 0, 1}});
  auto b = a;
  b.varies = Varies::nodes;
  b.bytes = 256;
  Diagnostics diagnostics;
  const auto m = merge_measurements(std::vector{file_of("a.json", {a}), file_of("b.json", {b})},
                                    MergeRule::count, diagnostics);
  REQUIRE_FALSE(m);
  CHECK(to_string(m.error()) == "b.json: suite 's' has varies \"nodes\", but \"bytes\" in a.json");
}

TEST_CASE("a simulation is not merged with a measurement, other machines are with a warning") {
  const auto s = suite_of("s", {{8, 1, 0, 1}});
  auto a = file_of("a.json", {s}), b = file_of("b.json", {s});
  b.measurement.machine.name = "other";
  Diagnostics diagnostics;
  CHECK(merge_measurements(std::vector{a, b}, MergeRule::count, diagnostics));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message == "the machine is 'other', but in a.json it is 'm'");
  b.measurement.testbed = TestbedKind::mpi;
  CHECK(to_string(merge_measurements(std::vector{a, b}, MergeRule::count, diagnostics).error()) ==
        "b.json: has testbed \"mpi\", but a.json has \"simulated\"");
}

TEST_CASE("points that were interpolated before have no say") {
  const auto a = file_of("a", {suite_of("s", {{8, 100, 1, 9}, {16, 200, 1, 9}})});
  const auto b = file_of("b", {suite_of("s", {{12, 500, 1, 2}})});
  const auto once = merged({a, b});
  REQUIRE(once.suites[0].points.size() == 3);
  CHECK(once.suites[0].points[1].interpolated);
  CHECK(once.suites[0].points[1].result_ps.value == 150);
  const auto again = merged({{"once", once}, b});
  CHECK(again.suites[0].points[1].merged->runs == 2);
  CHECK(again.suites[0].points[1].merged->interpolated_runs == 1);
}

TEST_CASE("one file merged with itself keeps its results") {
  const auto a = file_of("a", {suite_of("s", {{8, 100, 1, 9}, {16, 200, 1, 9}})});
  auto m = merged({a, a, a}, MergeRule::robust);
  for (auto& p : m.suites[0].points) {
    CHECK(p.merged->runs == 3);
    p.merged.reset();
  }
  CHECK(m.suites == a.measurement.suites);
}
