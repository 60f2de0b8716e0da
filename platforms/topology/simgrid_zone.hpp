// Zones of single hosts in SimGrid's platform files: those whose routing is "Full" or "Cluster".
#pragma once
#include "platforms/topology/families.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

/// Adds the contents of `zone`, hosts in the order of the file. Errors name the place in the file, from
/// `parts`.
///
/// "Cluster": all hosts at one switch, each with its own link; a backbone must be as wide as all of them.
/// "Full": the routes of all pairs, over full-duplex links whose directions they name, must be shortest paths
/// through one graph: Busline computes its own routes, which may differ at the same length. Cost: linear in
/// the links of all routes, and quadratic in hosts.
Expected<void> read_simgrid_zone(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone);

}  // namespace busline
