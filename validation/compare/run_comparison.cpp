#include "validation/compare/run_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "measuring/runs/trace_calls.hpp"
#include "models/costs/link_bound.hpp"
#include "models/simulate.hpp"
#include "platforms/mapping.hpp"

namespace busline::compare {
namespace {

using runs::CallTimes;

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

Expected<Machine> place(const runs::RunSet& set, Platform platform, const CompareOptions& options,
                        Diagnostics& diagnostics) {
  const auto real = placement_of(set);
  if (options.mapping || real) platform.mapping = options.mapping ? *options.mapping : *real;
  auto machine = place_ranks(platform, set.ranks);
  if (machine) {
    if (auto crowded = crowding_warning(platform, *machine)) diagnostics.push_back(*std::move(crowded));
    return machine;
  }
  auto error = machine.error();
  if (options.mapping) {
    error.where = "--mapping";
  } else if (real) {
    error = error_in_run_set(set, fmt::format("its ranks do not fit on the platform: {}", error.message),
                             "a run set records the node of each rank; choose other nodes with --mapping");
    error.kind = Error::Kind::bad_option;
  }
  return tl::unexpected(std::move(error));
}

// By rank, of all its strands: the longest span, and the calls of all.
std::vector<runs::TracedRank> predicted_ranks(const Program& program, const RegionResult& region) {
  std::vector<runs::TracedRank> ranks(program.ranks());
  const auto names = program.call_names();
  for (std::size_t i = 0; i < region.call_times.size(); ++i) {
    auto& rank = ranks[program.strands()[i].rank];
    const auto& t = region.ranks[i];
    rank.span =
        std::max(rank.span, t.compute + t.latency + t.wait + t.collective_wait + t.collective + t.cpu_wait);
    // The first name is that of what is in no call.
    for (std::size_t call = 1; call < names.size(); ++call)
      if (region.call_times[i][call] > Duration()) rank.calls[names[call]] += region.call_times[i][call];
  }
  return ranks;
}

std::vector<RankCalls> side_by_side(const std::vector<runs::TracedRank>& predicted,
                                    const std::vector<runs::TracedRank>& traced) {
  std::vector<RankCalls> all;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    std::map<std::string, CallTime> calls;
    for (const auto& [call, time] : predicted[i].calls) calls[call].predicted = time;
    for (const auto& [call, time] : traced[i].calls) calls[call].traced = time;
    auto& rank = all.emplace_back(RankCalls{predicted[i].span, traced[i].span, {}});
    for (auto& [name, time] : calls) rank.calls.push_back({name, time.predicted, time.traced});
  }
  return all;
}

Duration longest(const std::vector<runs::TracedRank>& ranks) {
  Duration most;
  for (const auto& rank : ranks) most = std::max(most, rank.span);
  return most;
}

Expected<void> check_ranks(const runs::RunSet& set, const std::string& trace, std::size_t ranks) {
  if (ranks == set.ranks) return {};
  return tl::unexpected(error_in_run_set(
      set, fmt::format("ran on {} ranks, but its trace {} has {}", set.ranks, trace, ranks)));
}

// The calls of the set's own traced run, by rank; none without a trace.
Expected<std::vector<runs::TracedRank>> own_calls(const runs::RunSet& set, const runs::Borders& region) {
  if (!set.traced) return std::vector<runs::TracedRank>();
  const auto path = runs::trace_path(set);
  auto traced = runs::trace_calls(path, region);
  if (!traced) return traced;
  if (auto fits = check_ranks(set, path, traced->size()); !fits)
    return tl::unexpected(std::move(fits.error()));
  return traced;
}

// The times that the prediction is set against.
Expected<void> take_measured(const runs::RunSet& set, const CompareOptions& options, RunComparison& c) {
  auto times = runs::times_of(set);
  c.failed_runs = set.runs.size() - times.size();
  if (options.region && *options.region != set.region) {
    if (!c.traced_time)
      return tl::unexpected(
          error_in_run_set(set, "has no trace of its own, in which to measure another region",
                           "leave out --from and --to: the region is then that of the run set"));
    c.measured_in = MeasuredIn::trace;
    times.assign(1, *c.traced_time);
  }
  c.runs = times.size();
  const auto spread = runs::spread_of(std::move(times));
  if (!spread)
    return tl::unexpected(
        error_in_run_set(set, "no run was timed", "add runs with 'busline-measure record --append'"));
  c.measured = *spread;
  if (c.measured.median > Duration()) return {};
  return tl::unexpected(error_in_run_set(set, "the region has zero length in the real runs"));
}

Expected<void> take_predicted(const Program& program, const Platform& platform, const Machine& machine,
                              const CompareOptions& options, const std::vector<runs::TracedRank>& traced,
                              Diagnostics& diagnostics, RunComparison& c) {
  SimulateOptions how;
  how.model = options.model;
  how.region = Region{.from = c.region.from, .to = c.region.to};
  how.call_times = true;
  how.progress = options.progress;
  auto result = simulate(program, platform, machine, how);
  if (!result) return tl::unexpected(std::move(result.error()));
  c.status = result->status;
  c.blocked = std::move(result->blocked);
  if (!c.predicted_at_all()) return {};
  if (auto fast = link_bound_warning(result->below_link_bound)) {
    fast->path = c.program;
    diagnostics.push_back(*std::move(fast));
  }
  c.predicted = result->region->run_time;
  if (!traced.empty()) c.rank_calls = side_by_side(predicted_ranks(program, *result->region), traced);
  if (!options.interval) return {};
  how.call_times = false;
  auto interval = prediction_interval(program, platform, machine, how, *options.interval);
  if (!interval) return tl::unexpected(std::move(interval.error()));
  if (!*interval) c.status = Result::Status::interrupted;
  c.interval = std::move(*interval);
  return {};
}

}  // namespace

double RunComparison::error() const {
  return predicted.in_seconds() / measured.median.in_seconds() - 1;
}

bool RunComparison::inside() const {
  return interval->shortest <= measured.median && measured.median <= interval->longest;
}

std::optional<double> RunComparison::spread() const {
  if (runs < 2) return std::nullopt;
  return measured.relative();
}

Expected<RunComparison> compare_run(const runs::RunSet& set, const Platform& platform,
                                    const CompareOptions& options, Diagnostics& diagnostics) {
  const auto& source = options.traces != nullptr ? *options.traces : set;
  if (!source.traced)
    return tl::unexpected(error_in_run_set(source, "has no trace to replay",
                                           "record one with 'busline-measure record', without --no-trace"));
  RunComparison c;
  c.platform = platform.name;
  c.machine = set.machine.name;
  c.program = set.name;
  c.command = set.command;
  c.ranks = set.ranks;
  c.region = options.region.value_or(set.region);
  if (options.traces != nullptr) c.traced_on = source.machine.name;

  const auto path = runs::trace_path(source);
  const auto workload = load_workload(path, options.workload, diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  c.files = workload->files;
  if (auto fits = check_ranks(set, path, workload->program.ranks()); !fits)
    return tl::unexpected(std::move(fits.error()));
  const auto machine = place(set, platform, options, diagnostics);
  if (!machine) return tl::unexpected(machine.error());
  const auto traced = own_calls(set, c.region);
  if (!traced) return tl::unexpected(traced.error());
  if (!traced->empty()) c.traced_time = longest(*traced);
  if (auto taken = take_measured(set, options, c); !taken) return tl::unexpected(std::move(taken.error()));
  if (auto taken = take_predicted(workload->program, platform, *machine, options, *traced, diagnostics, c);
      !taken)
    return tl::unexpected(std::move(taken.error()));
  return c;
}

std::vector<CallDifference> call_differences(const RunComparison& run) {
  // Picoseconds; sums over ranks, except for the worst.
  struct Sums {
    double predicted = 0, traced = 0, worst = 0;
    std::uint32_t worst_rank = 0;
  };
  std::map<std::string, Sums> sums;
  const auto add = [&sums](std::size_t rank, const std::string& call, double predicted, double traced) {
    auto& s = sums[call];
    s.predicted += predicted;
    s.traced += traced;
    if (std::fabs(predicted - traced) <= std::fabs(s.worst)) return;
    s.worst = predicted - traced;
    s.worst_rank = static_cast<std::uint32_t>(rank);
  };
  const auto ps = [](Duration d) { return static_cast<double>(d.count()); };
  for (std::size_t i = 0; i < run.rank_calls.size(); ++i) {
    const auto& rank = run.rank_calls[i];
    auto predicted = ps(rank.predicted), traced = ps(rank.traced);
    for (const auto& c : rank.calls) {
      add(i, c.call, ps(c.predicted), ps(c.traced));
      predicted -= ps(c.predicted);
      traced -= ps(c.traced);
    }
    add(i, kOutside, predicted, traced);
  }
  const auto ranks = static_cast<double>(run.rank_calls.size());
  std::vector<CallDifference> all;
  for (const auto& [call, s] : sums)
    all.push_back({call, Duration::from_double(s.predicted / ranks), Duration::from_double(s.traced / ranks),
                   s.worst_rank, Duration::from_double(s.worst)});
  const auto size = [](const CallDifference& c) { return std::llabs(c.difference().count()); };
  std::stable_sort(all.begin(), all.end(),
                   [&](const CallDifference& a, const CallDifference& b) { return size(a) > size(b); });
  return all;
}

}  // namespace busline::compare
