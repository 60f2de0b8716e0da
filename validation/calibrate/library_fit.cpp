#include "validation/calibrate/library_fit.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "models/costs/collective_costs.hpp"
#include "sim/base/quantile.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using CollectivePoints = std::vector<CollectivePoint>;
using CostOf = std::function<CollectiveCost(const CollectivePoint&)>;

/// The conventional form for `dimemas`, the library's algorithm otherwise.
CollectiveCost cost_of_call(CollectivePreset library, const CollectiveCall& call) {
  if (library == CollectivePreset::dimemas)
    return {.from = {}, .cost = conventional_cost(call.kind), .algorithm = {}};
  return {.from = {}, .cost = {}, .algorithm = chosen_algorithm(library, call)};
}

/// Sum of capped errors, and the median error.
std::pair<double, double> errors_with_costs(const CollectivePoints& points, const Platform& platform,
                                            const LeadIns& lead_ins, const CostOf& cost_of) {
  double sum = 0;
  std::vector<double> errors;
  for (const auto& p : points) {
    const auto predicted = predicted_ps(p, platform, lead_ins.at(p.ranks), cost_of(p));
    sum += capped_error(p, platform, predicted);
    if (predicted) errors.push_back(collective_error(p, platform, *predicted));
  }
  return {sum, median(std::move(errors))};
}

}  // namespace

double library_doubt(CollectivePreset library, const CollectivePoints& points) {
  std::vector<double> ranges;
  for (const auto& p : points) ranges.push_back(sample_range(*p.point));
  return std::max(library == CollectivePreset::dimemas ? 0.02 : 0.1, median(std::move(ranges)));
}

CollectiveCost library_cost(CollectivePreset library, const CollectivePoint& p) {
  const bool whole = p.bytes % p.suite->element == 0;
  return cost_of_call(library, {p.kind, p.ranks, p.bytes, whole ? p.suite->element : std::uint64_t{1}});
}

LeadIns library_lead_ins(CollectivePreset library, const PointsByKind& points, const Platform& platform,
                         const LeadIns& searched) {
  constexpr std::uint64_t kVerdict = 4;  // an int
  LeadIns lead_ins;
  for (const auto& [ranks, found] : searched) {
    const LeadInCosts own{cost_of_call(library, {CollectiveKind::barrier, ranks}),
                          cost_of_call(library, {CollectiveKind::bcast, ranks, kVerdict})};
    double gain = 0;
    CollectivePoints compared;
    for (const auto kind : {CollectiveKind::barrier, CollectiveKind::bcast}) {
      const auto at = points.find(kind);
      if (at == points.end()) continue;
      for (const auto& p : at->second) {
        if (p.ranks != ranks) continue;
        const auto error_with = [&](const LeadInCosts& lead_in) {
          return capped_error(p, platform, predicted_ps(p, platform, lead_in, library_cost(library, p)));
        };
        gain += error_with(own) - error_with(found);
        compared.push_back(p);
      }
    }
    lead_ins[ranks] =
        gain > library_doubt(library, compared) * static_cast<double>(compared.size()) ? found : own;
  }
  return lead_ins;
}

LibraryFit compare_with_library(CollectivePreset library, const CollectivePoints& points,
                                const OperationFit& searched, const Platform& platform,
                                const LeadIns& lead_ins) {
  const auto [own, own_error] = errors_with_costs(
      points, platform, lead_ins, [&](const CollectivePoint& p) { return library_cost(library, p); });
  const auto [other, other_error] = errors_with_costs(
      points, platform, lead_ins,
      [row = searched.row()](const CollectivePoint& p) { return *entry_for(row, p.bytes); });
  const double gain = (own - other) / static_cast<double>(std::max<std::size_t>(1, points.size()));
  const double doubt = library_doubt(library, points);
  return {.error = own_error,
          .searched_error = other_error,
          .holds = gain <= doubt,
          .is_doubtful = gain > doubt / 2};
}

}  // namespace busline::calibrate
