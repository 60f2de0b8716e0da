#include "validation/compare/run_set_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "platforms/mapping.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::compare {
namespace {

Error error_in_run_set(const runs::RunSet& set, std::string message, std::string hint = "") {
  Error e;
  e.path = set.folder;
  e.where = set.name;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

// The nodes on which the ranks really sat.
std::optional<Mapping> placement_of(const runs::RunSet& set) {
  if (set.placement.empty()) return std::nullopt;
  Mapping mapping;
  mapping.kind = Mapping::Kind::nodes;
  for (const auto& place : set.placement) mapping.nodes.push_back(place.node);
  return mapping;
}

Error misfit(const runs::RunSet& set, std::string message, std::string hint) {
  auto e = error_in_run_set(set, std::move(message), std::move(hint));
  e.kind = Error::Kind::bad_option;
  return e;
}

// Whether the ranks, placed as they were, have a place on each node.
Expected<void> check_nodes(const runs::RunSet& set, const Platform& platform) {
  std::vector<std::uint32_t> cpus;
  for (const auto& group : platform.machines)
    for (const auto& nodes : group.nodes) cpus.insert(cpus.end(), nodes.count, nodes.cpus);
  std::map<std::uint32_t, std::uint32_t> ranks;  // by node
  for (const auto& place : set.placement) ++ranks[place.node];
  if (const auto used = ranks.rbegin()->first + std::size_t{1}; used > cpus.size())
    return tl::unexpected(
        misfit(set,
               fmt::format("ran on {}, but the platform {} has {}", counted(used, "node"), platform.name,
                           counted(cpus.size(), "node")),
               "a run set records the node of each rank; choose other nodes with --mapping"));
  for (const auto& [node, there] : ranks)
    if (there > cpus[node] && there <= set.machine.cpus_per_node)
      return tl::unexpected(
          misfit(set,
                 fmt::format("{} ran on node {}, which had {}, but that node of the platform {} has {}",
                             counted(there, "rank"), node, counted(set.machine.cpus_per_node, "CPU"),
                             platform.name, counted(cpus[node], "CPU")),
                 "change the platform (--set /nodes/0/cpus=N), or choose other nodes with --mapping"));
  return {};
}

Expected<Machine> place(const runs::RunSet& set, Platform platform, const std::optional<Mapping>& chosen,
                        Diagnostics& diagnostics) {
  auto real = placement_of(set);
  if (chosen) {
    platform.mapping = *chosen;
  } else if (real) {
    if (auto fit = check_nodes(set, platform); !fit) return tl::unexpected(std::move(fit.error()));
    platform.mapping = *std::move(real);
  }
  auto machine = place_ranks(platform, set.ranks);
  if (!machine && chosen) machine.error().where = "--mapping";
  if (machine)
    if (auto crowded = crowding_warning(platform, *machine)) diagnostics.push_back(*std::move(crowded));
  return machine;
}

}  // namespace

Expected<void> check_ranks(const runs::RunSet& set, const std::string& trace, std::size_t ranks) {
  if (ranks == set.ranks) return {};
  return tl::unexpected(error_in_run_set(
      set, fmt::format("ran on {} ranks, but its trace {} has {}", set.ranks, trace, ranks)));
}

Expected<RunSetReplay> prepare_replay(const runs::RunSet& set, const Platform& platform,
                                      const ReplayOptions& options, Diagnostics& diagnostics) {
  const auto& source = options.traces != nullptr ? *options.traces : set;
  if (!source.traced)
    return tl::unexpected(error_in_run_set(source, "has no trace to replay",
                                           "record one with 'busline-measure record', without --no-trace"));
  const auto path = runs::trace_path(source);
  auto workload = load_workload(path, options.workload, diagnostics);
  if (!workload) return tl::unexpected(std::move(workload.error()));
  if (auto fits = check_ranks(set, path, workload->program.ranks()); !fits)
    return tl::unexpected(std::move(fits.error()));
  auto machine = place(set, platform, options.mapping, diagnostics);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  return RunSetReplay{*std::move(workload), *std::move(machine)};
}

double RealTimes::error_of(Duration predicted) const {
  return predicted.in_seconds() / measured.median.in_seconds() - 1;
}

std::optional<double> RealTimes::spread() const {
  if (runs < 2) return std::nullopt;
  return measured.relative();
}

Expected<RealTimes> real_times(const runs::RunSet& set, const runs::Borders& region,
                               std::optional<Duration> traced) {
  RealTimes real;
  auto times = runs::times_of(set);
  real.failed_runs = set.runs.size() - times.size();
  real.disturbed_runs = runs::disturbed_runs(set);
  if (region != set.region) {
    if (!traced)
      return tl::unexpected(
          error_in_run_set(set, "has no trace of its own, in which to measure another region",
                           "leave out --from and --to: the region is then that of the run set"));
    real.measured_in = MeasuredIn::trace;
    real.disturbed_runs.reset();
    times.assign(1, *traced);
  }
  real.runs = times.size();
  const auto spread = runs::spread_of(std::move(times));
  if (!spread)
    return tl::unexpected(
        error_in_run_set(set, "no run was timed", "add runs with 'busline-measure record --append'"));
  real.measured = *spread;
  if (real.measured.median > Duration()) return real;
  return tl::unexpected(error_in_run_set(set, "the region has zero length in the real runs"));
}

}  // namespace busline::compare
