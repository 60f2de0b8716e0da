#include "models/dimemas/run_dimemas.hpp"

#include "models/dimemas/network.hpp"
#include "models/dimemas/replay_for_slope.hpp"
#include "models/fair/run_fair.hpp"
#include "models/replay_with.hpp"

namespace busline {

Expected<Result> run_dimemas(const Program& program, const Platform& platform, const Machine& machine,
                             const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::counted);
  if (platform.machines.front().network.sharing != Network::Sharing::exclusive)
    return run_fair(program, costs, machine, options);
  DimemasNetwork network(costs, program);
  auto* const slope = only_slope(options);
  auto result = slope == nullptr
                    ? replay_with(network, program, machine, options)
                    : Expected<Result>(replay_for_slope(network, program, machine, options, *slope));
  if (result) result->resources = network.resources();
  return result;
}

}  // namespace busline
