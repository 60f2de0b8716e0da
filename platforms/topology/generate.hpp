// Makes the switches, hosts and links of a described network.
#pragma once
#include "platforms/topology/description.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// The network, its faults applied. An Error of kind bad_input, whose `where` is a JSON pointer into the
/// description ("/k"), if parameters do not fit together, the network would exceed kMostHosts, kMostSwitches
/// or kMostNetworkLinks, or hosts are cut off from others; for a file also the errors of read_graph
/// (graph_file.hpp). Cost: linear in the network's size; for a Jellyfish some ten times that.
Expected<Topology> make_topology(const TopologyDescription& description);

/// The network before its faults.
Expected<Topology> make_whole_topology(const TopologyDescription& description);

}  // namespace busline
