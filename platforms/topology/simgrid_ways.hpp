// Zones with routing "Full" in SimGrid's platform files.
#pragma once
#include "platforms/topology/families.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

/// Adds the graph through which the listed ways of all pairs of hosts go. Ends of links that follow one
/// another in a way are at one switch. Refused: links that are not full duplex, ways that are those of no
/// graph, that are missing, or that are longer than another one.
Expected<void> read_simgrid_ways(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone);

}  // namespace busline
