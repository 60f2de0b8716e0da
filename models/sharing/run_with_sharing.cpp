#include "models/run/replay_with.hpp"
#include "models/run/run_models.hpp"
#include "models/sharing/network.hpp"

namespace busline {

Expected<Result> run_with_sharing(const Program& program, const Platform& platform, const Machine& machine,
                                  const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::counted, options.noise_seed);
  FairNetwork network(costs, program);
  auto result = replay_with(network, program, machine, options);
  if (!result) return result;
  result->resources = network.resources();
  result->below_link_bound = network.below_link_bound();
  return result;
}

}  // namespace busline
