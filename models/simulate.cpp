#include "models/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/dimemas/network.hpp"
#include "models/fair/network.hpp"
#include "models/flow/run_flow.hpp"
#include "models/ideal/dataflow.hpp"
#include "models/ideal/null_network.hpp"
#include "models/ideal/order_free.hpp"
#include "models/instant_times.hpp"
#include "models/region.hpp"
#include "sim/replay.hpp"

namespace busline {
namespace {

/// Runs to the region's first instant and to its second one, or the end. None if it was interrupted on the
/// way.
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

void attach(NullObserver& /*observer*/, const auto& /*engine*/) {}
void attach(RegionObserver& observer, const auto& engine) {
  observer.times_now = [&engine](std::uint32_t strand) { return engine.times_now(strand); };
}

/// Gives `run` the observer that the region needs, and puts what it saw into the result. `run` attaches it.
template <class Run>
Expected<Result> observed(const Program& program, const SimulateOptions& options, Run&& run) {
  if (!is_between_calls(options)) {
    NullObserver observer;
    return run(observer);
  }
  auto borders = find_borders(program, options.region.value_or(Region{}));
  if (!borders) return tl::unexpected(std::move(borders.error()));
  RegionObserver observer(std::move(*borders));
  if (options.call_times) observer.take_call_times(program);
  Result result = run(observer);
  result.region = observer.result();
  return result;
}

template <class Network>
Expected<Result> replay_with(Network& network, const Program& program, const Machine& machine,
                             const SimulateOptions& options) {
  return observed(program, options, [&]<class Observer>(Observer& observer) {
    Replay<Network, Observer> replay(program, machine, network, observer);
    attach(observer, replay);
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

Error misfit(std::string message) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.message = std::move(message);
  return e;
}

struct Model {
  ModelName name;
  Expected<Result> (*run)(const Program&, const Platform&, const Machine&, const SimulateOptions&);
};

Expected<Result> run_dimemas(const Program& program, const Platform& platform, const Machine& machine,
                             const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::counted);
  const auto run_on = [&](auto network) -> Expected<Result> {
    auto result = replay_with(network, program, machine, options);
    if (result) result->resources = network.resources();
    return result;
  };
  return platform.machines.front().network.sharing == Network::Sharing::exclusive
             ? run_on(DimemasNetwork(costs, program))
             : run_on(FairNetwork(costs, program));
}

/// Without a queue where order cannot matter. A deadlock is told by the event path.
Expected<Result> run_ideal(const Program& program, const Platform& platform, const Machine& machine,
                           const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::ignored);
  NullNetwork network(costs, program);
  if (is_between_instants(options) || network.names_algorithms() || !order_free(program, machine, platform))
    return replay_with(network, program, machine, options);
  auto result = observed(program, options, [&]<class Observer>(Observer& observer) {
    Dataflow<Observer> dataflow(program, machine, network, observer);
    attach(observer, dataflow);
    return dataflow.result(dataflow.run(options.progress));
  });
  if (result && result->status == Result::Status::deadlock)
    return replay_with(network, program, machine, options);
  return result;
}

/// The registry: a new model is a line here.
const std::vector<Model>& models() {
  static const std::vector<Model> all{
      {{"dimemas", "nodes with L links, B buses, fan-in/fan-out collectives"}, run_dimemas},
      {{"ideal", "the same costs without contention: a lower bound, and faster"}, run_ideal},
      {{"flow", "max-min fair flows over the platform's topology", true}, run_flow},
  };
  return all;
}

const Model* find_model(const std::string& name) {
  const auto found =
      std::find_if(models().begin(), models().end(), [&](const Model& m) { return m.name.name == name; });
  return found == models().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<ModelName>& model_names() {
  static const std::vector<ModelName> names = [] {
    std::vector<ModelName> n;
    for (const auto& m : models()) n.push_back(m.name);
    return n;
  }();
  return names;
}

Expected<void> check_model(const std::string& name) {
  if (find_model(name) != nullptr) return {};
  auto error = misfit(fmt::format("there is no model '{}'", name));
  for (const auto& m : models()) error.hint += (error.hint.empty() ? "expected one of " : ", ") + m.name.name;
  return tl::unexpected(std::move(error));
}

Expected<Result> simulate(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options) {
  if (auto known = check_model(options.model); !known) return tl::unexpected(std::move(known.error()));
  if (machine.rank_node.size() != program.ranks())
    return tl::unexpected(misfit(fmt::format("the mapping places {} ranks, the workload has {}",
                                             machine.rank_node.size(), program.ranks())));
  if (platform.dedicated_connections.size() > 256)
    return tl::unexpected(misfit("more than 256 dedicated connections"));
  return find_model(options.model)->run(program, platform, machine, options);
}

}  // namespace busline
