// Networks with faults.
#pragma once
#include <vector>

#include "platforms/topology/description.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Applies `faults` to `whole` one after the other. The rest keeps its order; switches keep their numbers as
/// names. Removing a switch removes its hosts, and switches without hosts that nothing reaches. If anything
/// was removed, the network loses its shape, and routes follow hop counts. An Error of kind bad_input (where:
/// "/faults/0/links/1") if a fault names a link or a switch that does not exist, fewer exist than are to be
/// chosen at random, or a host can no longer reach another one. Cost: linear for each fault.
Expected<Topology> with_faults(const Topology& whole, const std::vector<NetworkFault>& faults);

/// An Error (where: `where`) if the network has no hosts, or a host has no path to host 0.
Expected<void> check_one_piece(const Topology& topology, const std::string& where);

}  // namespace busline
