// Networks whose topology is one of SimGrid's clusters.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "platforms/simgrid/elements.hpp"
#include "platforms/topology/topology.hpp"

namespace busline {

/// The cluster equivalent to the network; nothing if none is. `topology` is that of the machine's network.
/// Adds to `left_out` what it cannot hold.
std::optional<std::string> simgrid_cluster(const SimGridMachine& machine, const Topology& topology,
                                           std::vector<std::string>& left_out);

}  // namespace busline
