// Networks of which something is out of order.
#pragma once
#include <vector>

#include "platforms/topology/description.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// `whole` with `faults` one after the other. What is left keeps its order; switches keep their numbers as
/// names; hosts of switches that are gone are gone, and switches without hosts that nothing reaches. If
/// something is gone the network has no shape any more, so that ways go by hop counts. An Error of kind
/// bad_input (where: "/faults/0/links/1") if a fault names a link or a switch that is not there, there are
/// fewer than it takes at random, or a host cannot reach another one any more. Cost: linear for each fault.
Expected<Topology> with_faults(const Topology& whole, const std::vector<NetworkFault>& faults);

/// An Error (where: `where`) if there is no host, or one that has no way to host 0.
Expected<void> check_one_piece(const Topology& topology, const std::string& where);

}  // namespace busline
