// Networks of any topology for SimGrid.
#pragma once
#include <string>

#include "platforms/simgrid/elements.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// A zone that lists the route of each pair of nodes. `topology` is that of the machine's network and has a
/// host for each node. Errors: those of Routes::of. Cost: quadratic in nodes.
Expected<std::string> simgrid_way_zone(const SimGridMachine& machine, const Topology& topology);

}  // namespace busline
