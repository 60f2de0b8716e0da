#include "validation/calibrate/library_fit.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "measuring/method/statistics.hpp"

namespace busline::calibrate {
namespace {

using CollectivePoints = std::vector<CollectivePoint>;
using CostOf = std::function<CollectiveCost(const CollectivePoint&)>;

CollectiveCost algorithm_alone(std::optional<Algorithm> algorithm) {
  return {.from = {}, .cost = {}, .algorithm = algorithm};
}

/// Sum of misfits, and the median error.
std::pair<double, double> misfit_with_costs(const CollectivePoints& points, const Platform& platform,
                                            const LeadIns& lead_ins, const CostOf& cost_of) {
  double sum = 0;
  std::vector<double> errors;
  for (const auto& p : points) {
    const auto cost = cost_of(p);
    const auto predicted = predicted_ps(p, platform, lead_ins.at(p.ranks), cost);
    sum += collective_misfit(p, platform, cost, predicted);
    if (predicted) errors.push_back(collective_error(p, platform, *predicted));
  }
  std::sort(errors.begin(), errors.end());
  return {sum, errors.empty() ? 0 : measure::quantile(errors, 0.5)};
}

}  // namespace

CollectiveCost library_cost(CollectivePreset library, const CollectivePoint& p) {
  const bool whole = p.bytes % p.suite->element == 0;
  return algorithm_alone(
      chosen_algorithm(library, {p.kind, p.ranks, p.bytes, whole ? p.suite->element : std::uint64_t{1}}));
}

LeadIns library_lead_ins(CollectivePreset library, const PointsByKind& points, const Platform& platform,
                         const LeadIns& searched) {
  constexpr std::uint64_t kVerdict = 4;  // an int
  LeadIns lead_ins;
  for (const auto& [ranks, found] : searched) {
    const LeadInCosts own{
        algorithm_alone(chosen_algorithm(library, {CollectiveKind::barrier, ranks})),
        algorithm_alone(chosen_algorithm(library, {CollectiveKind::bcast, ranks, kVerdict}))};
    double gain = 0, of_points = 0;
    for (const auto kind : {CollectiveKind::barrier, CollectiveKind::bcast}) {
      const auto at = points.find(kind);
      if (at == points.end()) continue;
      for (const auto& p : at->second) {
        if (p.ranks != ranks) continue;
        const auto misfit_with = [&](const LeadInCosts& lead_in) {
          const auto cost = library_cost(library, p);
          return collective_misfit(p, platform, cost, predicted_ps(p, platform, lead_in, cost));
        };
        gain += misfit_with(own) - misfit_with(found);
        ++of_points;
      }
    }
    lead_ins[ranks] = gain > kLibraryDoubt * of_points ? found : own;
  }
  return lead_ins;
}

LibraryFit compare_with_library(CollectivePreset library, const CollectivePoints& points,
                                const OperationFit& searched, const Platform& platform,
                                const LeadIns& lead_ins) {
  const auto [own, own_error] = misfit_with_costs(
      points, platform, lead_ins, [&](const CollectivePoint& p) { return library_cost(library, p); });
  const auto [other, other_error] =
      misfit_with_costs(points, platform, lead_ins, [&](const CollectivePoint& p) {
        auto cost = searched.ranges.front().cost;
        for (const auto& range : searched.ranges)
          if (count(range.cost.from) <= p.bytes) cost = range.cost;
        return cost;
      });
  const double gain = (own - other) / static_cast<double>(std::max<std::size_t>(1, points.size()));
  return {.error = own_error, .searched_error = other_error, .gain = gain, .holds = gain <= kLibraryDoubt};
}

}  // namespace busline::calibrate
