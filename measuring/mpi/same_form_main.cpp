// Simulated and real measurements differ in values only: compares pairs of files that 'busline measure' and
// busline-measure wrote with the same options for the same ranks. The environment variable BUSLINE_MEASURED
// names their folder.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "measuring/measurement/measurement_json.hpp"
#include "measuring/skampi/result_file.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

std::string measured(const std::string& name) {
  const char* const folder = std::getenv("BUSLINE_MEASURED");
  REQUIRE(folder != nullptr);
  return std::string(folder) + "/" + name;
}

// Reading checks every member against the schema.
Measurement read(const std::string& name) {
  auto m = read_measurement(measured(name));
  REQUIRE_MESSAGE(m, to_string(m.error()));
  return std::move(*m);
}

// A point without its values. How many samples it took, and why no more, is a value.
Point form_of(const Point& p) {
  Point form;
  form.argument = p.argument;
  form.ranks = p.ranks;
  if (p.stop) form.stop = Stop::precision;
  if (p.time_ps) form.time_ps.emplace();
  if (!p.samples.empty()) form.samples.emplace_back();
  form.node_results_ps.resize(p.node_results_ps.size());
  return form;
}

// A suite without its values. Where refinement put points depends on values, too.
Suite form_of(Suite s) {
  s.overhead_ps = {};
  std::vector<Point> points;
  for (const auto& p : s.points)
    if (!p.refined) points.push_back(form_of(p));
  s.points = std::move(points);
  return s;
}

void check_same_form(const std::string& name) {
  const auto simulated = read("simulated/" + name), real = read("real/" + name);
  CHECK(simulated.testbed == TestbedKind::simulated);
  CHECK(real.testbed == TestbedKind::mpi);
  CHECK(simulated.clock.has_value());
  CHECK(real.clock.has_value());
  REQUIRE(simulated.suites.size() == real.suites.size());
  CHECK_FALSE(simulated.suites.empty());
  for (std::size_t i = 0; i < real.suites.size(); ++i) {
    Measurement one, other;
    one.suites = {form_of(simulated.suites[i])};
    other.suites = {form_of(real.suites[i])};
    CHECK(to_json_text(one) == to_json_text(other));
  }
}

skampi::ResultFile read_results(const std::string& name) {
  Diagnostics diagnostics;
  auto file = skampi::read_results(measured(name), diagnostics);
  REQUIRE_MESSAGE(file, to_string(file.error()));
  CHECK(diagnostics.empty());
  CHECK(file->finished);
  return std::move(*file);
}

}  // namespace

TEST_CASE("a parameter file gives documents that differ in values only") {
  check_same_form("skampi.json");
}

TEST_CASE("the calibration set gives documents that differ in values only") {
  check_same_form("calibration.json");
}

TEST_CASE("a parameter file gives result files that differ in values only") {
  const auto simulated = read_results("simulated/skampi.out"), real = read_results("real/skampi.out");
  REQUIRE(simulated.head.size() == real.head.size());
  for (std::size_t i = 0; i < real.head.size(); ++i) CHECK(simulated.head[i].first == real.head[i].first);
  CHECK(simulated.hosts.size() == real.hosts.size());
  REQUIRE(simulated.suites.size() == real.suites.size());
  for (std::size_t i = 0; i < real.suites.size(); ++i) {
    auto one = simulated.suites[i], other = real.suites[i];
    CHECK(one.complete);
    CHECK(other.complete);
    one.rows.clear(), other.rows.clear();
    one.line = other.line = 0;
    CHECK(one == other);
  }
}
