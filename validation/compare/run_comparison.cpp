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
#include "platforms/alternatives.hpp"
#include "platforms/mapping.hpp"

namespace busline::compare {
namespace {

using runs::CallTimes;

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

// With the other explanations of the platform's measurements.
Expected<void> take_alternatives(const Program& program, const Platform& platform, const Machine& machine,
                                 const SimulateOptions& how, RunComparison& c) {
  for (auto& other : alternatives_of(platform)) {
    other.platform.mapping = mapping_of(machine);
    const auto placed = place_ranks(other.platform, program.ranks());
    if (!placed) return tl::unexpected(placed.error());
    const auto result = simulate(program, other.platform, *placed, how);
    if (!result) return tl::unexpected(result.error());
    if (result->status == Result::Status::interrupted) c.status = Result::Status::interrupted;
    if (result->status == Result::Status::complete)
      c.alternatives.push_back({to_text(other), result->region->run_time});
  }
  return {};
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
  how.call_times = false;
  if (auto taken = take_alternatives(program, platform, machine, how, c); !taken)
    return tl::unexpected(std::move(taken.error()));
  if (!options.interval) return {};
  auto interval = prediction_interval(program, platform, machine, how, *options.interval);
  if (!interval) return tl::unexpected(std::move(interval.error()));
  if (!*interval) c.status = Result::Status::interrupted;
  c.interval = std::move(*interval);
  return {};
}

}  // namespace

bool RunComparison::inside() const {
  return interval->shortest <= measured.median && measured.median <= interval->longest;
}

Expected<RunComparison> compare_run(const runs::RunSet& set, const Platform& platform,
                                    const CompareOptions& options, Diagnostics& diagnostics) {
  RunComparison c;
  c.platform = platform.name;
  c.machine = set.machine.name;
  c.program = set.name;
  c.command = set.command;
  c.ranks = set.ranks;
  c.region = options.region.value_or(set.region);
  if (options.replay.traces != nullptr) c.traced_on = options.replay.traces->machine.name;

  const auto replay = prepare_replay(set, platform, options.replay, diagnostics);
  if (!replay) return tl::unexpected(replay.error());
  c.files = replay->workload.files;
  const auto traced = own_calls(set, c.region);
  if (!traced) return tl::unexpected(traced.error());
  if (!traced->empty()) c.traced_time = longest(*traced);
  const auto real = real_times(set, c.region, c.traced_time);
  if (!real) return tl::unexpected(real.error());
  static_cast<RealTimes&>(c) = *real;
  if (auto taken = take_predicted(replay->workload.program, platform, replay->machine, options, *traced,
                                  diagnostics, c);
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
