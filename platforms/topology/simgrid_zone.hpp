// Zones of single hosts in SimGrid's platform files: those whose routing is "Full" or "Cluster".
#pragma once
#include "platforms/topology/families.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

/// Adds what `zone` holds, hosts in the order of the file. Errors are about the place in the file that
/// `parts` knows.
///
/// "Cluster": all hosts at one switch, each with its own link; a backbone must be as wide as all of them.
/// "Full": the ways of all pairs, over full-duplex links whose directions they name, must be ways through one
/// graph, and shortest ones: ways are worked out here, and may be others of the same length. Cost: linear in
/// the links of all ways, and quadratic in hosts.
Expected<void> read_simgrid_zone(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone);

}  // namespace busline
