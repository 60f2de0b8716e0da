#include "validation/compare/simulated_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "measuring/measurement/variation.hpp"
#include "measuring/skampi/ski_operations.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline::compare {
namespace {

using measure::Pattern;
using measure::Point;
using measure::Suite;
using measure::SuitePlan;

constexpr std::uint32_t kMostRanks = 1U << 20U;

bool is_of_pairs(const Suite& suite) {
  return suite.pattern == Pattern::all_pairs;
}

Error error_in_suite(const Suite& suite, std::string message) {
  Error e;
  e.where = suite.name;
  e.message = std::move(message);
  return e;
}

// The job that was measured: where each rank sat.
class Job {
 public:
  Expected<void> add(const Suite& suite) {
    for (const auto& point : suite.points)
      for (const auto rank : point.ranks) ranks_ = std::max(ranks_, rank + 1);
    for (std::size_t i = 0; i < suite.ranks.size(); ++i) {
      const auto rank = suite.ranks[i];
      ranks_ = std::max(ranks_, rank + 1);
      if (suite.nodes.size() != suite.ranks.size()) continue;
      const auto [known, is_new] = nodes_.emplace(rank, suite.nodes[i]);
      if (!is_new && known->second != suite.nodes[i])
        return tl::unexpected(
            error_in_suite(suite, fmt::format("rank {} is on node {}, but on node {} in another suite", rank,
                                              suite.nodes[i], known->second)));
    }
    if (ranks_ > kMostRanks)
      return tl::unexpected(error_in_suite(suite, fmt::format("has more than {} ranks", kMostRanks)));
    return {};
  }

  std::uint32_t ranks() const { return ranks_; }
  // Ranks that did nothing sit where the one before them sits. Nothing: no suite says where its ranks were.
  void place_on(Platform& platform) const {
    if (nodes_.empty()) return;
    platform.mapping = {};
    platform.mapping.kind = Mapping::Kind::nodes;
    std::uint32_t node = nodes_.begin()->second;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (const auto known = nodes_.find(rank); known != nodes_.end()) node = known->second;
      platform.mapping.nodes.push_back(node);
    }
  }

 private:
  std::uint32_t ranks_ = 0;
  std::map<std::uint32_t, std::uint32_t> nodes_;
};

// LinkTest's words for its kernels are not operations of ours, and SKaMPI 5 has its own for ours. Where those
// split a vector their sizes are other ones.
std::string operation_of(const Suite& suite) {
  if (suite.operation == "semidirectional") return "MPI_Send-MPI_Recv";
  if (suite.operation == "unidirectional") return "stream";
  if (suite.operation == "bidirectional") return "exchange";
  const auto* const ski = skampi::find_ski_operation(suite.operation);
  const auto* const ours = find_skampi5_operation(suite.operation);
  if (ours != nullptr && (ski == nullptr || !ski->is_split)) return std::string(ours->name);
  return suite.operation;
}

SuitePlan plan_of(const Suite& suite) {
  SuitePlan plan;
  plan.name = suite.name;
  plan.kernel.operation = operation_of(suite);
  plan.kernel.ranks = suite.ranks;
  plan.kernel.bytes = suite.bytes.value_or(0);
  plan.kernel.chunks = suite.chunks.value_or(1);
  plan.kernel.messages = suite.messages;
  plan.kernel.buffers.count = suite.buffers;
  plan.pattern = suite.pattern;
  plan.time = suite.time;
  plan.varies = measure::Varies::nothing;
  plan.warmup = suite.warmup;
  plan.without_overhead = suite.overhead_ps.value > 0;
  plan.keep_samples = false;
  return plan;
}

// The time of one sample that begins as the suite's do. The first is led in to by ranks that are all at the
// same place, as no other is, so it is the second. Nothing: interrupted.
Expected<std::optional<Point>> led_in_point(SimulatedTestbed& testbed, const Suite& suite,
                                            const Kernel& kernel) {
  const auto samples =
      testbed.run_as(kernel, {.warmup = suite.warmup, .samples = 2, .lead_in = suite.lead_in});
  if (!samples) return tl::unexpected(samples.error());
  if (samples->empty()) return std::nullopt;
  Point point;
  point.result_ps.value =
      static_cast<double>(measure::sample_times(*samples, kernel, suite.time).back().count());
  point.count = 1;
  return point;
}

// As a suite of its own. Nothing: interrupted.
Expected<std::optional<Point>> measured_point(SimulatedTestbed& testbed, const SuitePlan& plan,
                                              const measure::Watch& watch) {
  auto measured = measure::measure_suite(testbed, plan, watch);
  if (!measured) return tl::unexpected(std::move(measured.error()));
  if (measured->suite.points.empty()) return std::nullopt;
  return std::move(measured->suite.points.front());
}

// One argument at a time.
Expected<std::vector<Point>> simulated_points(SimulatedTestbed& testbed, const Suite& suite,
                                              const measure::Watch& watch) {
  std::vector<Point> points;
  for (const auto& real : suite.points) {
    auto plan = plan_of(suite);
    if (!real.ranks.empty()) plan.kernel.ranks = real.ranks;
    measure::variation_of(suite.varies).apply(plan.kernel, real.argument);
    auto simulated = suite.lead_in == LeadIn::barrier ? measured_point(testbed, plan, watch)
                                                      : led_in_point(testbed, suite, plan.kernel);
    if (!simulated) return tl::unexpected(std::move(simulated.error()));
    if (!*simulated) break;
    auto& point = points.emplace_back(**std::move(simulated));
    point.argument = real.argument;
    point.ranks = real.ranks;
  }
  return points;
}

// Pairs that meet in one step measure at the same time; the two directions of a pair one after the other. So
// a step is split into runs in which no rank is twice.
std::vector<std::vector<const Point*>> runs_of(const Suite& suite) {
  std::map<std::uint64_t, std::vector<std::vector<const Point*>>> steps;
  std::map<std::uint64_t, std::vector<std::set<std::uint32_t>>> busy;
  for (const auto& point : suite.points) {
    if (point.ranks.size() != 2) continue;
    auto& runs = steps[point.argument];
    auto& ranks = busy[point.argument];
    std::size_t i = 0;
    while (i < runs.size() && (ranks[i].contains(point.ranks[0]) || ranks[i].contains(point.ranks[1]))) ++i;
    if (i == runs.size()) {
      runs.emplace_back();
      ranks.emplace_back();
    }
    runs[i].push_back(&point);
    ranks[i].insert(point.ranks.begin(), point.ranks.end());
  }
  std::vector<std::vector<const Point*>> all;
  for (auto& [step, runs] : steps) std::move(runs.begin(), runs.end(), std::back_inserter(all));
  return all;
}

Expected<std::vector<Point>> simulated_pairs(measure::Testbed& testbed, const Suite& suite,
                                             const measure::Watch& watch) {
  std::vector<Point> points;
  for (const auto& run : runs_of(suite)) {
    if (watch && !watch({suite.name, run.front()->argument, points.size()})) break;
    auto kernel = plan_of(suite).kernel;
    kernel.ranks.clear();
    for (const auto* point : run)
      kernel.ranks.insert(kernel.ranks.end(), point->ranks.begin(), point->ranks.end());
    const auto samples = testbed.run(
        kernel,
        {.warmup = suite.warmup, .samples = 1, .suite = suite.name, .argument = run.front()->argument});
    if (!samples) return tl::unexpected(samples.error());
    if (samples->empty()) break;
    for (std::size_t i = 0; i < run.size(); ++i) {
      // As of a kernel of this pair alone.
      auto pair = kernel;
      pair.ranks = run[i]->ranks;
      const measure::KernelSamples own{(*samples)[2 * i], (*samples)[2 * i + 1]};
      Point point;
      point.argument = run[i]->argument;
      point.ranks = run[i]->ranks;
      point.result_ps.value =
          static_cast<double>(measure::sample_times(own, pair, suite.time).front().count());
      point.count = 1;
      points.push_back(std::move(point));
    }
  }
  return points;
}

// Why a model cannot tell the times of a suite; empty if it can.
std::string not_simulated(const Suite& suite) {
  if (suite.pattern == Pattern::startup) return "use 'busline measure ziatest' to predict launches";
  if (suite.pattern == Pattern::compute) return "it measures a CPU";
  if (find_operation(operation_of(suite)) == nullptr)
    return fmt::format("unknown operation '{}'", suite.operation);
  if (suite.concurrent > 1 && !is_of_pairs(suite) && suite.ranks.size() < 2 * std::size_t{suite.concurrent})
    return "it does not record which pairs were active at once";
  return "";
}

}  // namespace

Expected<SimulatedMeasurement> simulate_measurement(const measure::Measurement& real,
                                                    const Platform& platform, const std::string& model,
                                                    const SimulationProgress& progress) {
  SimulatedMeasurement all;
  Job job;
  for (const auto& suite : real.suites)
    if (not_simulated(suite).empty())
      if (auto added = job.add(suite); !added) return tl::unexpected(std::move(added.error()));
  auto placed = platform;
  job.place_on(placed);
  auto testbed = SimulatedTestbed::create(std::move(placed), std::max(job.ranks(), 1U), model);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  for (std::size_t i = 0; i < real.suites.size() && !all.interrupted; ++i) {
    const auto& suite = real.suites[i];
    if (auto why = not_simulated(suite); !why.empty()) {
      all.left_out.push_back({suite.name, std::move(why)});
      continue;
    }
    const auto go_on = [&] {
      all.interrupted |=
          progress && !progress(static_cast<double>(i) / static_cast<double>(real.suites.size()));
      return !all.interrupted;
    };
    (*testbed)->set_progress([&](double) { return go_on(); });
    const measure::Watch watch = [&](const measure::SuiteProgress&) { return go_on(); };
    auto points = is_of_pairs(suite) ? simulated_pairs(**testbed, suite, watch)
                                     : simulated_points(**testbed, suite, watch);
    if (!points) {
      all.left_out.push_back({suite.name, to_string(points.error())});
      continue;
    }
    auto simulated = suite;
    simulated.points = *std::move(points);
    all.measurement.suites.push_back(std::move(simulated));
  }
  // The testbed's machine is the platform, and its clock is exact.
  all.measurement.testbed = measure::TestbedKind::simulated;
  all.measurement.machine = (*testbed)->machine();
  all.measurement.clock = (*testbed)->clock();
  return all;
}

}  // namespace busline::compare
