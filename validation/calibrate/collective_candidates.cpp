#include "validation/calibrate/collective_candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/algorithms/registry.hpp"

namespace busline::calibrate {
namespace {

using Named = std::pair<FanModel, std::string_view>;
constexpr std::array<Named, 4> kModels{{{FanModel::none, "none"},
                                        {FanModel::constant, "constant"},
                                        {FanModel::linear, "linear"},
                                        {FanModel::logarithmic, "logarithmic"}}};

// Those after it are what single libraries do for some numbers of ranks. A search among them all finds them
// by chance: k-nomial and binary trees in the times of binomial ones.
constexpr auto kLastSearched = Algorithm::scatter_allgather;

std::string_view fan_name(FanModel model) {
  return kModels[static_cast<std::size_t>(model)].second;
}

}  // namespace

std::string name_of(const CollectiveCost& cost) {
  if (cost.algorithm) return std::string(busline::name_of(*cost.algorithm));
  const auto& form = cost.cost;
  return fmt::format("fan-in {}, fan-out {}{}", fan_name(form.fan_in.model), fan_name(form.fan_out.model),
                     form.fan_out.size == SizeRule::twice_max ? " of 2*max" : "");
}

std::vector<CollectiveCost> candidates_for(CollectiveKind kind) {
  std::vector<CollectiveCost> candidates;
  for (const auto& [name, algorithm] : kAlgorithmNames)
    if ((algorithm <= kLastSearched || algorithm == Algorithm::context_id) &&
        find_schedule(algorithm, kind) != nullptr)
      candidates.push_back({.from = {}, .cost = {}, .algorithm = algorithm});
  const bool has_data = moves_data(kind);
  for (const auto size : {SizeRule::max, SizeRule::twice_max})
    for (const auto& [in, in_name] : kModels)
      for (const auto& [out, out_name] : kModels) {
        if (in == FanModel::none && out == FanModel::none) continue;
        if (size != SizeRule::max && !has_data) continue;
        candidates.push_back(
            {.from = {}, .cost = {.fan_in = {in, size}, .fan_out = {out, size}}, .algorithm = {}});
      }
  return candidates;
}

std::vector<CollectiveCost> candidates_for(CollectiveKind kind, const KnownAlgorithms& known) {
  const auto at = known.find(kind);
  if (at == known.end()) return candidates_for(kind);
  return {{.from = {}, .cost = {}, .algorithm = at->second}};
}

std::optional<CollectiveKind> collective_named(std::string_view mpi_name) {
  const auto kind = find_collective(mpi_name);
  if (!kind || *kind > CollectiveKind::graph_create) return std::nullopt;
  return kind;
}

bool moves_data(CollectiveKind kind) {
  return kind != CollectiveKind::barrier && kind <= CollectiveKind::exscan;
}

}  // namespace busline::calibrate
