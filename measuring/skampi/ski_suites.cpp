#include "measuring/skampi/ski_suites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "measuring/method/time_budget.hpp"
#include "measuring/skampi/result_lines.hpp"
#include "measuring/skampi/suite_plan.hpp"

namespace busline::skampi {
namespace {

using measure::Varies;

// What makes a measurement another one than those before it in its suite. Pairs differ by their ranks.
using Identity = std::tuple<std::size_t, std::uint64_t, std::uint32_t, std::uint32_t>;
Identity identity_of(const SkiMeasurement& m) {
  const auto& ranks = *m.communicator.ranks;
  const bool is_pair = m.communicator.size == 2;
  return {m.communicator.size, m.bytes, is_pair ? ranks[0] : 0, is_pair ? ranks[1] : 0};
}

std::string outer_loops(const SkiMeasurement& m) {
  std::string text;
  for (std::size_t i = 0; i + 1 < m.variables.size(); ++i)
    text += fmt::format(" {}={}", m.variables[i].first, m.variables[i].second);
  return text;
}

Varies variation_of(const std::vector<const SkiMeasurement*>& all) {
  const auto differs = [&](auto value) {
    return std::any_of(all.begin(), all.end(),
                       [&](const SkiMeasurement* m) { return value(*m) != value(*all[0]); });
  };
  if (differs([](const SkiMeasurement& m) { return m.communicator.size; })) return Varies::ranks;
  if (differs([](const SkiMeasurement& m) { return m.bytes; })) return Varies::bytes;
  if (all[0]->variables.empty()) return Varies::nothing;
  const auto& variable = all[0]->variables.back().first;
  if (variable == "procs" || variable == "nodes") return Varies::ranks;
  return all[0]->bytes > 0 && all.size() == 1 ? Varies::bytes : Varies::nothing;
}

measure::SuitePlan plan_for(const SkiMeasurement& m, const std::string& suite) {
  measure::SuitePlan plan;
  const auto meaning = meaning_of(*m.operation, true);
  plan.name = suite;
  plan.kernel = m.kernel();
  plan.pattern = meaning.pattern;
  plan.time = meaning.time;
  plan.varies = Varies::nothing;
  plan.repetition = m.repetition;
  plan.without_overhead = false;
  plan.node_times = true;
  return plan;
}

// The plan of an autorefine loop: its range in bytes or ranks.
Expected<measure::SuitePlan> refined_plan(const SkiSuite& suite) {
  const auto& first = *suite.measurements.front();
  const auto& range = *first.refined;
  const auto unit =
      suite.varies == Varies::ranks ? 1.0 : static_cast<double>(first.bytes) / first.variables.back().second;
  const bool fits =
      unit >= 1 && unit == std::floor(unit) &&
      std::all_of(suite.measurements.begin(), suite.measurements.end(), [&](const SkiMeasurement* m) {
        return static_cast<double>(suite.argument_of(*m)) == m->variables.back().second * unit;
      });
  if (suite.varies == Varies::nothing || !fits)
    return tl::unexpected(first.place.error(
        "'autorefine' needs a variable that is a number of message elements or of processes"));
  auto plan = plan_for(*suite.measurements.back(), suite.name);
  plan.varies = suite.varies;
  plan.range.scale = range.multiplies ? measure::Scale::dynamic_log : measure::Scale::dynamic_linear;
  plan.range.start = suite.argument_of(first);
  plan.range.end = suite.argument_of(*suite.measurements.back());
  plan.range.step = range.multiplies ? range.step : range.step * unit;
  plan.range.multiple_of = static_cast<std::uint64_t>(unit);
  // SKaMPI 5 has no precision here: it measures that many times as often as the loop alone.
  plan.limits.precision = 0;
  plan.limits.min_distance = static_cast<std::uint64_t>(unit);
  plan.limits.max_steps = static_cast<std::uint32_t>(
      std::min(std::ceil(range.factor * static_cast<double>(suite.measurements.size())),
               static_cast<double>(measure::kMostArguments)));
  return plan;
}

class ScriptRunner {
 public:
  ScriptRunner(measure::Testbed& testbed, const SkiOptions& options, std::size_t suites,
               const measure::Watch& watch, Diagnostics& diagnostics)
      : testbed_(testbed),
        budget_(options.budget, testbed.elapsed(), static_cast<double>(suites)),
        resolution_(options.resolution),
        watch_(watch),
        diagnostics_(diagnostics) {}

  Expected<void> run(const SkiSuite& suite) {
    const auto now = testbed_.elapsed();
    if (budget_.is_used_up(now)) {
      run_.left_out.push_back(suite.name);
      return {};
    }
    measure::TimeBudget of_suite(budget_.next(now, 1), now, static_cast<double>(suite.measurements.size()));
    if (suite.measurements.front()->refined) {
      auto plan = refined_plan(suite);
      if (!plan) return tl::unexpected(plan.error());
      plan->time_limit = of_suite.next(now, static_cast<double>(suite.measurements.size()));
      if (auto measured = measure(suite, *plan)) add(std::move(measured->suite));
      return {};
    }
    std::optional<measure::Suite> whole;
    for (const auto* const m : suite.measurements) {
      if (run_.interrupted) break;
      if (whole && of_suite.is_used_up(testbed_.elapsed())) {
        whole->ended_by = measure::SuiteEnd::time_limit;
        break;
      }
      // Another name for each argument: noise depends on it.
      auto plan = plan_for(*m, fmt::format("{} {}", suite.name, suite.argument_of(*m)));
      plan.time_limit = of_suite.next(testbed_.elapsed(), 1);
      const auto measured = measure(suite, std::move(plan));
      if (!measured) return {};
      if (!whole) {
        whole = measured->suite;
        whole->name = suite.name;
        whole->varies = suite.varies;
        if (suite.varies == Varies::bytes) whole->bytes.reset();
        whole->points.clear();
      }
      add_points(*whole, suite, *m, measured->suite);
    }
    if (whole) add(*std::move(whole));
    return {};
  }

  bool interrupted() const { return run_.interrupted; }
  SuiteRun take() { return std::move(run_); }

 private:
  static void add_points(measure::Suite& to, const SkiSuite& suite, const SkiMeasurement& m,
                         const measure::Suite& measured) {
    // The suite's ranks are those of the largest communicator.
    const bool other_pair = measured.ranks.size() == to.ranks.size() && measured.ranks != to.ranks;
    if (measured.ranks.size() > to.ranks.size()) {
      to.ranks = measured.ranks;
      to.nodes = measured.nodes;
      to.route_class = measured.route_class;
    }
    for (auto point : measured.points) {
      point.argument = suite.argument_of(m);
      if (other_pair) point.ranks = measured.ranks;
      to.points.push_back(std::move(point));
    }
  }

  std::optional<measure::MeasuredSuite> measure(const SkiSuite& suite, measure::SuitePlan plan) {
    plan.resolution = resolution_;
    auto measured = measure::measure_suite(testbed_, plan, [&](const measure::SuiteProgress& p) {
      return !watch_ || watch_({suite.name, p.argument, p.points});
    });
    if (measured) {
      run_.interrupted = measured->interrupted;
      return *std::move(measured);
    }
    run_.failed.push_back(suite.name);
    diagnostics_.push_back(
        {Diagnostic::Severity::warning, "failed-suite",
         fmt::format("{} could not be measured: {}", suite.name, to_string(measured.error()))});
    return std::nullopt;
  }

  void add(measure::Suite suite) {
    measure::sort_points(suite);
    if (!suite.points.empty()) run_.suites.push_back(std::move(suite));
  }

  measure::Testbed& testbed_;
  measure::TimeBudget budget_;
  double resolution_;
  const measure::Watch& watch_;
  Diagnostics& diagnostics_;
  SuiteRun run_;
};

}  // namespace

std::uint64_t SkiSuite::argument_of(const SkiMeasurement& m) const {
  return varies == Varies::ranks ? m.communicator.size : varies == Varies::bytes ? m.bytes : 0;
}

SkiMachine machine_of(measure::Testbed& testbed) {
  return {testbed.ranks(), [&testbed] { return farthest_rank(testbed); }};
}

std::vector<SkiSuite> group_into_suites(std::span<const SkiMeasurement> measurements) {
  // Block, operation, outer loops, and how often the same had been measured before.
  using Key = std::tuple<std::string, const KernelOperation*, std::string, std::size_t>;
  std::map<Key, std::size_t> places;
  std::map<std::tuple<std::string, const KernelOperation*, std::string, Identity>, std::size_t> rounds;
  std::map<std::string, std::set<const KernelOperation*>> operations;
  for (const auto& m : measurements) operations[m.block].insert(m.operation);
  std::vector<SkiSuite> suites;
  UniqueNames names;
  for (const auto& m : measurements) {
    const auto outer = outer_loops(m);
    const auto round = rounds[{m.block, m.operation, outer, identity_of(m)}]++;
    const auto [place, is_new] = places.try_emplace({m.block, m.operation, outer, round}, suites.size());
    if (is_new) {
      auto name = clean_text(m.block) + outer;
      if (operations[m.block].size() > 1) name += fmt::format(" {}", m.operation->name);
      suites.push_back({names(name), Varies::nothing, {}});
    }
    suites[place->second].measurements.push_back(&m);
  }
  for (auto& suite : suites) suite.varies = variation_of(suite.measurements);
  return suites;
}

Expected<SuiteRun> run_ski(measure::Testbed& testbed, std::span<const SkiMeasurement> measurements,
                           const SkiOptions& options, const measure::Watch& watch, Diagnostics& diagnostics) {
  const auto suites = group_into_suites(measurements);
  ScriptRunner runner(testbed, options, suites.size(), watch, diagnostics);
  for (const auto& suite : suites) {
    if (auto done = runner.run(suite); !done) return tl::unexpected(std::move(done.error()));
    if (runner.interrupted()) break;
  }
  return runner.take();
}

}  // namespace busline::skampi
