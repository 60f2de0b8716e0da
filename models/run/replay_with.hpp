// Runs the replay on a network, with or without an observer. A file that includes this compiles the replay
// twice for each network that it names, which takes half a minute: so each network has a separate source.
#pragma once
#include <optional>
#include <utility>

#include "models/run/instant_times.hpp"
#include "models/run/watch.hpp"
#include "sim/replay/replay.hpp"

namespace busline {

/// Runs to the region's first instant and to its second one, or the end. Nothing if interrupted.
template <class Replay>
std::optional<RegionResult> run_between(Replay& replay, std::size_t strands, const Region& region,
                                        const std::function<bool(double)>& progress) {
  InstantTimes times(region, strands);
  for (const auto instant : {times.from(), times.to()}) {
    if (!replay.run_until(instant, progress)) return std::nullopt;
    times.pass(replay, replay.next());
  }
  return times.result(replay);
}

/// Calls `run` with the observer of the options, and puts its observations into the result. `run` attaches
/// its engine to the Watch.
template <class Run>
Expected<Result> observed(const Program& program, const SimulateOptions& options, Run&& run) {
  auto watch = Watch::of(program, options);
  if (!watch) return tl::unexpected(std::move(watch.error()));
  if (watch->observer() == nullptr) {
    NullObserver observer;
    return run(observer, *watch);
  }
  Result result = run(*watch->observer(), *watch);
  watch->put_into(result);
  return result;
}

/// Without the resources, which the network reports.
template <class Network>
Expected<Result> replay_with(Network& network, const Program& program, const Machine& machine,
                             const SimulateOptions& options) {
  return observed(program, options, [&]<class Observer>(Observer& observer, Watch& watch) {
    Replay<Network, Observer> replay(program, machine, network, observer);
    watch.attach(replay);
    if (options.tie_seed != 0) replay.order_ties_by(options.tie_seed);
    std::optional<RegionResult> region;
    if (options.region && !is_between_calls(options)) {
      region = run_between(replay, program.strands().size(), *options.region, options.progress);
      if (!region) return replay.result(Result::Status::interrupted);
    }
    auto result = replay.result(replay.run(options.progress));
    result.region = std::move(region);
    return result;
  });
}

}  // namespace busline
