#include "models/fair/run_fair.hpp"

#include "models/fair/network.hpp"
#include "models/replay_with.hpp"

namespace busline {

Expected<Result> run_fair(const Program& program, const DimemasCosts& costs, const Machine& machine,
                          const SimulateOptions& options) {
  FairNetwork network(costs, program);
  auto result = replay_with(network, program, machine, options);
  if (result) result->resources = network.resources();
  return result;
}

}  // namespace busline
