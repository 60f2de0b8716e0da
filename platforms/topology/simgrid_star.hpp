// Zones with routing "Cluster" in SimGrid's platform files.
#pragma once
#include "platforms/topology/families.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

/// Adds the zone's hosts, all at one switch, each with its own link. Rejected: links that are half duplex or
/// limit each message separately, a backbone that is narrower than all of them together.
Expected<void> read_simgrid_star(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone);

}  // namespace busline
