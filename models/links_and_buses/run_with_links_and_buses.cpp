#include "models/links_and_buses/network.hpp"
#include "models/links_and_buses/replay_for_slope.hpp"
#include "models/run/replay_with.hpp"
#include "models/run/run_models.hpp"

namespace busline {

Expected<Result> run_with_links_and_buses(const Program& program, const Platform& platform,
                                          const Machine& machine, const SimulateOptions& options) {
  const DimemasCosts costs(platform, machine, Contention::counted, options.noise_seed);
  DimemasNetwork network(costs, program);
  auto* const slope = only_slope(options);
  auto result = slope == nullptr
                    ? replay_with(network, program, machine, options)
                    : Expected<Result>(replay_for_slope(network, program, machine, options, *slope));
  if (!result) return result;
  result->resources = network.resources();
  result->below_link_bound = network.below_link_bound();
  return result;
}

}  // namespace busline
