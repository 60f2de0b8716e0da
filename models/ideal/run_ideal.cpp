#include "models/run/run_models.hpp"

#include "models/costs/uncontended_network.hpp"
#include "models/ideal/dataflow.hpp"
#include "models/ideal/order_free.hpp"
#include "models/ideal/picosecond_clock.hpp"
#include "models/run/replay_with.hpp"

namespace busline {

/// The event path reports deadlocks. It also serves observers, except for those of strands' positions.
Expected<Result> run_ideal(const Program& program, const Platform& platform, const Machine& machine,
                           const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::ignored, options.noise_seed);
  UncontendedNetwork network(costs, program);
  if (is_between_instants(options) || !options.observers.empty() || network.names_algorithms() ||
      !order_free(program, machine, platform))
    return replay_with(network, program, machine, options);
  auto result = observed(program, options, [&]<class Observer>(Observer& observer, Watch& watch) {
    PicosecondClock clock(network, machine, program);
    Dataflow<PicosecondClock, Observer> dataflow(program, machine, clock, observer);
    watch.attach(dataflow);
    return dataflow.result(dataflow.run(options.progress));
  });
  if (result && result->status == Result::Status::deadlock)
    return replay_with(network, program, machine, options);
  return result;
}

}  // namespace busline
