#include "measuring/measurement/merge_measurements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "sim/base/assert.hpp"

namespace busline::measure {
namespace {

using RankList = std::vector<std::uint32_t>;
using MeasuredPoints = std::vector<const Point*>;  // of one run, by argument

// A suite and the run that it is from.
struct Found {
  const NamedMeasurement* run;
  const Suite* suite;
};

tl::unexpected<Error> refuse(const std::string& path, std::string message) {
  return refuse_file(Error::Kind::bad_input, path, std::move(message));
}

void warn(Diagnostics& diagnostics, std::string code, const std::string& path, std::string message) {
  Diagnostic d;
  d.code = std::move(code);
  d.path = path;
  d.message = std::move(message);
  diagnostics.push_back(std::move(d));
}

const Suite* find_suite(const Measurement& m, std::string_view name) {
  const auto at =
      std::find_if(m.suites.begin(), m.suites.end(), [&](const Suite& s) { return s.name == name; });
  return at == m.suites.end() ? nullptr : &*at;
}

// The definition of a suite: everything that must match to be merged, except the ranks, because SKaMPI looks
// for the most distant partner in each run.
nlohmann::ordered_json suite_subject(const Suite& suite) {
  constexpr std::array<std::string_view, 13> kSubject{
      "operation",  "pattern",  "time",    "varies", "class",   "bytes",  "chunks",
      "concurrent", "messages", "buffers", "launch", "lead_in", "element"};
  auto copy = suite;
  copy.points.clear();
  const auto all = fields::write(fields::Object(copy));
  nlohmann::ordered_json members;
  for (const auto key : kSubject) members[std::string(key)] = all[std::string(key)];
  return members;
}

Expected<void> check_same_subject(const Found& first, const Found& other) {
  const auto a = suite_subject(*first.suite), b = suite_subject(*other.suite);
  for (const auto& [key, value] : a.items())
    if (b[key] != value)
      return refuse(other.run->path,
                    fmt::format("suite '{}' has {} {}, but {} in {}", printable(first.suite->name), key,
                                b[key].dump(), value.dump(), printable(first.run->path)));
  return {};
}

std::vector<RunPoint> curve(const MeasuredPoints& points) {
  std::vector<RunPoint> run;
  for (const auto* p : points) run.push_back({p->argument, p->result_ps, p->count});
  return run;
}

// The result of the i-th rank alone.
std::vector<RunPoint> node_curve(const MeasuredPoints& points, std::size_t i, std::size_t ranks) {
  std::vector<RunPoint> run;
  for (const auto* p : points)
    if (p->node_results_ps.size() == ranks)
      run.push_back({p->argument, {p->node_results_ps[i], 0}, p->count});
  return run;
}

void merge_node_results(const std::vector<MeasuredPoints>& runs, MergeRule rule, std::vector<Point>& merged) {
  std::size_t ranks = 0;
  for (const auto& run : runs)
    for (const auto* p : run) ranks = std::max(ranks, p->node_results_ps.size());
  for (auto& point : merged) point.node_results_ps.clear();
  for (std::size_t i = 0; i < ranks; ++i) {
    std::vector<std::vector<RunPoint>> curves;
    for (const auto& run : runs) curves.push_back(node_curve(run, i, ranks));
    auto point = merged.begin();
    for (const auto& m : merge_runs(curves, rule)) {
      point =
          std::find_if(point, merged.end(), [&](const Point& p) { return p.argument == m.point.argument; });
      point->node_results_ps.push_back(m.point.result.value);
    }
  }
}

// Points between the same ranks.
std::vector<Point> merge_points(const std::vector<MeasuredPoints>& runs, MergeRule rule) {
  std::vector<std::vector<RunPoint>> curves;
  for (const auto& run : runs) curves.push_back(curve(run));
  std::vector<Point> merged;
  for (const auto& m : merge_runs(curves, rule)) {
    auto& point = merged.emplace_back();
    if (m.interpolated) {
      point.argument = m.point.argument;
      point.result_ps = m.point.result;
      point.count = m.point.count;
      point.interpolated = true;
    } else {
      const auto& run = runs[m.run];
      point =
          **std::lower_bound(run.begin(), run.end(), m.point.argument,
                             [](const Point* p, std::uint64_t argument) { return p->argument < argument; });
    }
    point.merged = PointSpread{m.runs, m.interpolated_runs, m.spread};
  }
  merge_node_results(runs, rule, merged);
  return merged;
}

Suite merge_suite(const std::vector<Found>& found, MergeRule rule) {
  std::map<RankList, std::vector<MeasuredPoints>> by_ranks;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& p : found[i].suite->points) {
      if (p.interpolated) continue;
      auto& runs = by_ranks[p.ranks];
      runs.resize(found.size());
      runs[i].push_back(&p);
    }
  Suite suite = *found.front().suite;
  suite.points.clear();
  // Where one run was cut another one has points.
  if (std::any_of(found.begin(), found.end(), [](const Found& f) { return !f.suite->ended_by; }))
    suite.ended_by.reset();
  for (const auto& [ranks, runs] : by_ranks)
    for (auto& p : merge_points(runs, rule)) {
      p.ranks = ranks;
      suite.points.push_back(std::move(p));
    }
  return suite;
}

Expected<std::vector<Found>> find_suites(std::span<const NamedMeasurement> runs, const std::string& name,
                                         Diagnostics& diagnostics) {
  std::vector<Found> found;
  for (const auto& run : runs) {
    const auto* suite = find_suite(run.measurement, name);
    if (suite == nullptr) {
      warn(diagnostics, "suite-missing", run.path, fmt::format("no suite is named '{}'", printable(name)));
      continue;
    }
    found.push_back({&run, suite});
    if (auto same = check_same_subject(found.front(), found.back()); !same)
      return tl::unexpected(std::move(same.error()));
  }
  return found;
}

Expected<void> check_same_machine(std::span<const NamedMeasurement> runs, Diagnostics& diagnostics) {
  const auto& first = runs.front();
  const auto name_of = [](TestbedKind testbed) {
    return write_value(Choice<TestbedKind>{testbed, kTestbedNames}).dump();
  };
  for (const auto& run : runs.subspan(1)) {
    auto here = run.measurement.testbed, there = first.measurement.testbed;
    if (here != there)
      return refuse(run.path, fmt::format("has testbed {}, but {} has {}", name_of(here),
                                          printable(first.path), name_of(there)));
    if (run.measurement.machine.name != first.measurement.machine.name)
      warn(diagnostics, "other-machine", run.path,
           fmt::format("the machine is '{}', but in {} it is '{}'", printable(run.measurement.machine.name),
                       printable(first.path), printable(first.measurement.machine.name)));
  }
  return {};
}

}  // namespace

Expected<Measurement> merge_measurements(std::span<const NamedMeasurement> runs, MergeRule rule,
                                         Diagnostics& diagnostics) {
  SIM_ASSERT(!runs.empty());
  if (auto same = check_same_machine(runs, diagnostics); !same)
    return tl::unexpected(std::move(same.error()));
  const auto& first = runs.front().measurement;
  Measurement merged;
  merged.testbed = first.testbed;
  merged.machine = first.machine;
  merged.clock = first.clock;
  merged.merged = MergedFrom{rule, {}};
  for (const auto& run : runs) {
    merged.merged->files.push_back(run.path);
    for (const auto& suite : run.measurement.suites) {
      if (find_suite(merged, suite.name) != nullptr) continue;
      const auto found = find_suites(runs, suite.name, diagnostics);
      if (!found) return tl::unexpected(found.error());
      merged.suites.push_back(merge_suite(*found, rule));
    }
  }
  return merged;
}

}  // namespace busline::measure
