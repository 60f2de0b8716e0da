#include "validation/calibrate/collective_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"
#include "validation/calibrate/collective_candidates.hpp"
#include "validation/calibrate/suite_replay.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline::calibrate {
namespace {

constexpr Bytes kAboveVerdict{5};  // a verdict is an int

constexpr double kMostError = 1;
constexpr double kClosedForm = 0.1;  // of a point's error

CollectiveCost from(Bytes size, CollectiveCost cost) {
  cost.from = size;
  return cost;
}

Platform with(const Platform& platform, const CollectivePoint& p, const LeadInCosts& lead_in,
              const CollectiveCost& cost) {
  auto copy = platform;
  copy.mapping = mapping_of(*p.suite, p.ranks);
  for (auto& machine : copy.machines) machine.collectives = {};
  auto& table = copy.mpi.collectives.by_kind;
  const auto list = [&](CollectiveKind kind) -> auto& {
    return table[static_cast<std::size_t>(kind)];
  };
  list(CollectiveKind::barrier) = {from({}, lead_in.barrier)};
  list(CollectiveKind::bcast) = {from({}, lead_in.bcast)};
  if (p.kind == CollectiveKind::bcast && Bytes{p.bytes} >= kAboveVerdict)
    list(p.kind).push_back(from(kAboveVerdict, cost));
  else
    list(p.kind) = {from({}, cost)};
  return copy;
}

double half_a_latency(const CollectivePoint& p, const Platform& platform) {
  const auto& machine = platform.machines.front();
  const auto& nodes = p.suite->nodes;
  const bool one_node = std::all_of(nodes.begin(), nodes.begin() + p.ranks,
                                    [&](std::uint32_t n) { return n == nodes.front(); });
  const auto latency = one_node ? machine.nodes.front().intra_node.latency : machine.network.latency;
  return static_cast<double>(latency.count()) / 2;
}

}  // namespace

std::vector<CollectivePoint> collective_points(const measure::Suite& suite, double chance) {
  using measure::Varies;
  constexpr double kNoisy = 0.1;  // real machines: 0.02 to 0.06
  std::vector<CollectivePoint> points;
  const auto kind = collective_named(suite.operation);
  const bool ranks_vary = suite.varies == Varies::ranks || suite.varies == Varies::nodes;
  if (suite.pattern != measure::Pattern::collective || !kind || suite.nodes.size() != suite.ranks.size() ||
      suite.messages != 1 ||
      (!ranks_vary && suite.varies != Varies::bytes && suite.varies != Varies::nothing))
    return points;
  for (const auto& p : suite.points) {
    // Nothing to send is nothing to do for most libraries, whatever they use otherwise.
    const auto bytes = suite.varies == Varies::bytes ? p.argument : suite.bytes.value_or(0);
    if (bytes == 0 && moves_data(*kind)) continue;
    if (p.interpolated || p.result_ps.value <= 0 || (!p.ranks.empty() && p.ranks != suite.ranks)) continue;
    const auto ranks = ranks_vary ? p.argument : suite.ranks.size();
    if (ranks < 2 || ranks > suite.ranks.size()) continue;
    points.push_back({.suite = &suite,
                      .point = &p,
                      .kind = *kind,
                      .bytes = bytes,
                      .ranks = static_cast<std::uint32_t>(ranks),
                      .measured_ps = p.result_ps.value,
                      .time = suite.time});
    if (chance <= kNoisy || p.node_results_ps.size() != ranks) continue;
    auto& added = points.back();
    added.measured_ps =
        std::accumulate(p.node_results_ps.begin(), p.node_results_ps.end(), 0.0) / static_cast<double>(ranks);
    added.time = measure::TimeOf::mean_call;
  }
  return points;
}

PointsByKind points_by_kind(const std::vector<measure::Suite>& suites) {
  PointsByKind by_kind;
  double chance = chance_of(suites, measure::RouteClass::inter_node);
  if (chance == 0) chance = chance_of(suites, measure::RouteClass::intra_node);
  for (const auto& suite : suites)
    for (auto& p : collective_points(suite, chance)) by_kind[p.kind].push_back(p);
  return by_kind;
}

std::optional<double> predicted_ps(const CollectivePoint& p, const Platform& platform,
                                   const LeadInCosts& lead_in, const CollectiveCost& cost) {
  auto testbed = SimulatedTestbed::create(with(platform, p, lead_in, cost), p.ranks);
  if (!testbed) return std::nullopt;
  auto kernel = kernel_of(*p.suite, *p.point);
  kernel.messages = std::max(p.point->batch, 1U);
  // Where calls before a sample matter, the first one begins as no other does: with all ranks at one place.
  const auto how = p.suite->lead_in;
  const bool first_counts = how == LeadIn::barrier || how == LeadIn::together;
  const KernelPlan plan{.samples = first_counts ? 1U : 2U, .lead_in = how};
  const auto samples = (*testbed)->run_as(kernel, plan);
  if (!samples || samples->empty() || samples->front().empty()) return std::nullopt;
  return static_cast<double>(measure::sample_times(*samples, kernel, p.time).back().count());
}

double collective_error(const CollectivePoint& p, const Platform& platform, double predicted) {
  const double floor = half_a_latency(p, platform) + 1;
  return std::abs(std::log((p.measured_ps + floor) / (predicted + floor)));
}

double capped_error(const CollectivePoint& p, const Platform& platform, std::optional<double> predicted) {
  return predicted ? std::min(collective_error(p, platform, *predicted), kMostError) : kMostError;
}

double collective_misfit(const CollectivePoint& p, const Platform& platform, const CollectiveCost& cost,
                         std::optional<double> predicted) {
  return capped_error(p, platform, predicted) + (cost.algorithm ? 0 : kClosedForm);
}

}  // namespace busline::calibrate
