#include "models/run/run_models.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/flow/local_flows.hpp"
#include "models/flow/network.hpp"
#include "models/flow/plugin.hpp"
#include "models/flow/worker.hpp"
#include "models/run/instant_times.hpp"
#include "models/run/watch.hpp"
#include "sim/replay/replay.hpp"

namespace busline {
namespace {

/// The replay as the owner of events at which the flows' clock stops.
template <class R>
class ReplayClient : public FlowClient {
 public:
  ReplayClient(R& replay, std::optional<InstantTimes>& instants, const Progress& progress)
      : replay_(replay), instants_(instants), progress_(progress) {}

  std::int64_t next_event() override {
    if (interrupted_ || replay_.overflowed()) return kNoEvent;
    const auto next = replay_.next();
    return next == Time::never() ? kNoEvent : next.count();
  }
  void run_to(std::int64_t now) override {
    for (auto next = next_event(); next != kNoEvent && next <= now; next = next_event()) {
      if (instants_) instants_->pass(replay_, Time::at(Duration::picoseconds(next)));
      replay_.step();
      if (++steps_ % kReportEvery == 0 && progress_) interrupted_ = !progress_(replay_.share_done());
    }
  }
  void flow_ended(std::uint32_t flow, std::int64_t now) override {
    if (!interrupted_ && !replay_.overflowed()) replay_.call_model(now - replay_.now(), MessageId{flow});
  }

  Result::Status status() const {
    if (interrupted_) return Result::Status::interrupted;
    if (replay_.overflowed()) return Result::Status::clock_overflow;
    return replay_.complete() ? Result::Status::complete : Result::Status::deadlock;
  }

 private:
  // Events. One that changes the rates of thousands of flows takes milliseconds.
  static constexpr std::uint64_t kReportEvery = 1 << 8;

  R& replay_;
  std::optional<InstantTimes>& instants_;
  const Progress& progress_;
  std::uint64_t steps_ = 0;
  bool interrupted_ = false;
};

/// There is always an observer: the replay is compiled only for one kind.
Expected<Result> run_here(const Program& program, const DimemasCosts& costs, const Machine& machine,
                          const std::vector<std::optional<RoutedNetwork>>& routed, Flows& flows,
                          const SimulateOptions& options, const Progress& progress) {
  auto watch = Watch::of(program, options);
  if (!watch) return tl::unexpected(std::move(watch.error()));
  RunObserver nobody;
  std::optional<InstantTimes> instants;
  if (options.region && !is_between_calls(options))
    instants.emplace(*options.region, program.strands().size());

  FlowNetwork network(costs, program, routed, flows);
  Replay<FlowNetwork, RunObserver> replay(program, machine, network,
                                          watch->observer() == nullptr ? nobody : *watch->observer());
  watch->attach(replay);
  if (options.tie_seed != 0) replay.order_ties_by(options.tie_seed);
  ReplayClient client(replay, instants, progress);
  const bool all_ended = flows.run(client);
  auto result = replay.result(all_ended ? client.status() : Result::Status::clock_overflow);
  watch->put_into(result);
  if (instants && result.status != Result::Status::interrupted) result.region = instants->result(replay);
  result.resources = network.resources();
  result.below_link_bound = network.below_link_bound();
  return result;
}

Expected<std::vector<std::optional<RoutedNetwork>>> routed_networks(const Platform& platform) {
  std::vector<std::optional<RoutedNetwork>> all;
  std::uint32_t first_node = 0;
  for (const auto& machine : platform.machines) {
    all.emplace_back();
    if (machine.network.topology) {
      auto network = RoutedNetwork::of(machine, NodeId{first_node});
      if (!network) return tl::unexpected(std::move(network.error()));
      all.back() = std::move(*network);
    }
    for (const auto& group : machine.nodes) first_node += group.count;
  }
  return all;
}

Error cannot_be_watched() {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.message = "SimGrid's solver runs in its own process, where the run cannot be observed";
  e.hint = "the solver 'local' of /network/flow runs in this process, with the law 'max-min'";
  return e;
}

}  // namespace

Expected<Result> run_flow(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options) {
  const auto& flow = platform.machines.front().network.flow;
  const auto law = flow_charges(flow).law;
  const bool local = flow.solver == FlowOptions::Solver::local && LocalFlows::knows(law);
  if (!local && !options.observers.empty()) return tl::unexpected(cannot_be_watched());
  const auto make_flows = local ? Expected<MakeFlows*>(nullptr) : load_flows();
  if (!make_flows) return tl::unexpected(make_flows.error());
  const auto routed = routed_networks(platform);
  if (!routed) return tl::unexpected(routed.error());
  const DimemasCosts costs(platform, machine, Contention::counted, options.noise_seed);
  if (local) {
    LocalFlows flows;
    return run_here(program, costs, machine, *routed, flows, options, options.progress);
  }
  return run_in_worker(
      [&](const Progress& progress) {
        const std::unique_ptr<Flows> flows((*make_flows)(law));
        return run_here(program, costs, machine, *routed, *flows, options, progress);
      },
      options.progress);
}

}  // namespace busline
