// Zones with routing "Full" in SimGrid's platform files.
#pragma once
#include "platforms/topology/families.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

/// Adds the graph of the listed routes of all pairs of hosts. Adjacent ends of links that follow one another
/// in a route are at one switch. Rejected: links that are not full duplex, and routes that do not form a
/// graph, are missing, or are longer than another one.
Expected<void> read_simgrid_ways(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone);

}  // namespace busline
