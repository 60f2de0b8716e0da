#include "validation/calibrate/collectives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "models/costs/collective_costs.hpp"
#include "validation/calibrate/collective_candidates.hpp"
#include "validation/calibrate/lead_in_search.hpp"
#include "validation/calibrate/library_fit.hpp"

namespace busline::calibrate {
namespace {

using enum CollectiveKind;

// Kernels measure these, so the user of a calibration can add them.
constexpr std::array kWorthMeasuring{barrier, bcast,     reduce,   allreduce,     gather,
                                     scatter, allgather, alltoall, reduce_scatter};

// In this order: Alltoallw after Alltoallv.
constexpr std::array<Sibling, 9> kSiblings{{{gatherv, gather},
                                            {scatterv, scatter},
                                            {allgatherv, allgather},
                                            {alltoallv, alltoall},
                                            {alltoallw, alltoallv},
                                            {reduce_scatter_block, reduce_scatter},
                                            {exscan, scan},
                                            {comm_create, comm_dup},
                                            {graph_create, cart_create}}};

std::vector<CollectiveCost>& row_of(Platform& platform, CollectiveKind kind) {
  return platform.mpi.collectives.by_kind[static_cast<std::size_t>(kind)];
}

void warn(Diagnostics& diagnostics, std::string code, std::string message) {
  diagnostics.push_back({.code = std::move(code), .message = std::move(message)});
}

void warn_of_those_alike(const OperationFit& operation, Diagnostics& diagnostics) {
  if (operation.library && operation.library->holds) return;
  for (const auto& range : operation.ranges)
    if (!range.runner_up.empty() && !range.told_apart)
      warn(diagnostics, "collectives-alike",
           fmt::format("{} from {} bytes up: {} and {} cannot be told apart (off by {:.1f} and {:.1f} %)",
                       busline::name_of(operation.kind), count(range.cost.from), range.name, range.runner_up,
                       100 * range.error, 100 * range.runner_up_error));
}

void warn_of_those_forced(const OperationFit& operation, CollectiveFit& fit) {
  if (!operation.library || operation.library->holds || fit.options.library == CollectivePreset::dimemas)
    return;
  warn(fit.diagnostics, "collectives-forced",
       fmt::format(
           "{} takes other algorithms than {} chooses (off by {:.1f} %, those found by {:.1f} %): was it "
           "told to?",
           busline::name_of(operation.kind), busline::name_of(*fit.options.library),
           100 * operation.library->error, 100 * operation.library->searched_error));
}

// A variant with sizes of its own has not all algorithms that the plain one has: an MPI library sends all
// messages at once then.
CollectiveCost for_sibling(CollectiveCost cost, CollectiveKind kind) {
  if (cost.algorithm && find_schedule(*cost.algorithm, kind) == nullptr) cost.algorithm = Algorithm::linear;
  return cost;
}

// For this number of ranks, or the next larger one with data.
const LeadInCosts& lead_in_of(std::uint32_t ranks, const LeadIns& lead_ins) {
  const auto at = lead_ins.lower_bound(ranks);
  return at == lead_ins.end() ? lead_ins.rbegin()->second : at->second;
}

std::optional<double> predicted_with(const std::vector<CollectiveCost>& row, const CollectivePoint& p,
                                     const Platform& platform, const LeadIns& lead_ins) {
  const auto* cost = entry_for(row, p.bytes);
  if (cost == nullptr || lead_ins.empty()) return std::nullopt;
  return predicted_ps(p, platform, lead_in_of(p.ranks, lead_ins), *cost);
}

std::optional<double> predicted_with(const CollectiveTable& table, const CollectivePoint& p,
                                     const Platform& platform, const LeadIns& lead_ins) {
  const auto& row = table.by_kind[static_cast<std::size_t>(p.kind)];
  if (row.empty() && table.preset)
    return predicted_with(std::vector{library_cost(*table.preset, p)}, p, platform, lead_ins);
  return predicted_with(row, p, platform, lead_ins);
}

double job_misfit(const OperationFit& fit, const std::vector<CollectivePoint>& points,
                  const Platform& platform, const LeadIns& lead_ins) {
  const auto row = fit.row();
  double sum = 0;
  for (const auto& p : points)
    sum +=
        collective_misfit(p, platform, *entry_for(row, p.bytes), predicted_with(row, p, platform, lead_ins));
  return sum;
}

// MPI libraries choose by the number of ranks, too, and a platform describes the largest job that was
// measured. Points of smaller ones help as long as they do not contradict.
std::optional<OperationFit> fit_of_job(const std::vector<CollectivePoint>& points,
                                       const std::vector<CollectiveCost>& candidates,
                                       const Platform& platform, CollectiveFit& fit) {
  constexpr double kContradicts = 0.1;  // of a point's error
  auto of_all = fit_operation(points, candidates, platform, fit.lead_ins);
  std::uint32_t most = 0;
  for (const auto& p : points) most = std::max(most, p.ranks);
  std::vector<CollectivePoint> largest;
  std::copy_if(points.begin(), points.end(), std::back_inserter(largest),
               [&](const CollectivePoint& p) { return p.ranks == most; });
  auto of_largest = fit_operation(largest, candidates, platform, fit.lead_ins);
  if (!of_all || !of_largest) return of_all;
  const double gain = job_misfit(*of_all, largest, platform, fit.lead_ins) -
                      job_misfit(*of_largest, largest, platform, fit.lead_ins);
  if (gain <= kContradicts * static_cast<double>(largest.size())) return of_all;
  warn(fit.diagnostics, "collectives-by-ranks",
       fmt::format("{} on {} ranks differs from that on fewer: using only the times on {}",
                   busline::name_of(of_all->kind), most, most));
  return of_largest;
}

}  // namespace

CollectiveFit fit_collectives(const std::vector<measure::Suite>& suites, const Platform& point_to_point,
                              const CollectiveOptions& options) {
  CollectiveFit fit;
  fit.options = options;
  if (point_to_point.machines.empty() || point_to_point.machines.front().nodes.empty()) return fit;
  const auto points = points_by_kind(suites);
  fit.lead_ins = find_lead_ins(points, point_to_point, options.known);
  if (options.library)
    fit.lead_ins = library_lead_ins(*options.library, points, point_to_point, fit.lead_ins);
  for (const auto& [kind, of_kind] : points) {
    auto found = fit_of_job(of_kind, candidates_for(kind, options.known), point_to_point, fit);
    if (!found) {
      warn(fit.diagnostics, "collectives-not-predicted",
           fmt::format("{} keeps its cost: the platform cannot run the measured suites",
                       busline::name_of(kind)));
      continue;
    }
    if (options.library && !options.known.contains(kind))
      found->library = compare_with_library(*options.library, of_kind, *found, point_to_point, fit.lead_ins);
    warn_of_those_forced(*found, fit);
    warn_of_those_alike(*found, fit.diagnostics);
    fit.operations.push_back(*std::move(found));
  }
  std::vector<std::string_view> missing;
  for (const auto kind : kWorthMeasuring)
    if (!points.contains(kind) && !options.known.contains(kind)) missing.push_back(busline::name_of(kind));
  if (!missing.empty())
    warn(fit.diagnostics, "collectives-not-measured",
         fmt::format("no times of {}: assumed as {}", fmt::join(missing, ", "),
                     options.library ? fmt::format("preset {} has them", busline::name_of(*options.library))
                                     : "the closed forms of preset dimemas"));
  return fit;
}

std::vector<Sibling> apply(const CollectiveFit& fit, Platform& platform) {
  platform.mpi.collectives.preset = fit.options.library;
  std::vector<CollectiveKind> set;
  for (const auto& operation : fit.operations) {
    if (operation.library && operation.library->holds) continue;
    row_of(platform, operation.kind) = operation.row();
    set.push_back(operation.kind);
  }
  for (const auto& [kind, algorithm] : fit.options.known) {
    row_of(platform, kind) = {{.from = {}, .cost = {}, .algorithm = algorithm}};
    set.push_back(kind);
  }
  const auto is_set = [&](CollectiveKind kind) {
    return std::find(set.begin(), set.end(), kind) != set.end();
  };
  std::vector<Sibling> siblings;
  for (const auto& sibling : kSiblings) {
    if (is_set(sibling.kind) || !is_set(sibling.as)) continue;
    auto& row = row_of(platform, sibling.kind);
    row.clear();
    for (const auto& cost : row_of(platform, sibling.as)) row.push_back(for_sibling(cost, sibling.kind));
    set.push_back(sibling.kind);
    siblings.push_back(sibling);
  }
  return siblings;
}

Platform with_other_collectives(const CollectiveFit& fit, const Platform& platform) {
  auto other = platform;
  for (const auto& operation : fit.operations) {
    const auto& library = operation.library;
    if (!library || !library->holds)
      row_of(other, operation.kind) = operation.other_row();
    else if (library->is_doubtful)
      row_of(other, operation.kind) = operation.row();
  }
  return other;
}

std::vector<CollectiveResidual> collective_residuals(const std::vector<measure::Suite>& suites,
                                                     const CollectiveFit& fit, const Platform& platform) {
  std::vector<CollectiveResidual> residuals;
  for (const auto& [kind, points] : points_by_kind(suites)) {
    for (const auto& p : points) {
      if (const auto predicted = predicted_with(platform.mpi.collectives, p, platform, fit.lead_ins))
        residuals.push_back({p.suite->name, p.point->argument, p.measured_ps, *predicted});
    }
  }
  return residuals;
}

}  // namespace busline::calibrate
