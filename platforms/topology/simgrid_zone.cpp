#include "platforms/topology/simgrid_zone.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <string_view>

#include "documents/fields/printable.hpp"
#include "platforms/topology/simgrid_star.hpp"
#include "platforms/topology/simgrid_ways.hpp"
#include "platforms/topology/simgrid_zone_parts.hpp"

namespace busline {

Expected<void> read_simgrid_zone(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone) {
  const std::string_view routing = zone.attribute("routing").value();
  if (routing == "Full" || routing == "full") return read_simgrid_ways(site, parts, zone);
  if (routing == "Cluster" || routing == "cluster") return read_simgrid_star(site, parts, zone);
  return ZoneParts(parts).refuse(
      zone, fmt::format("routing=\"{}\": expected Full or Cluster for a zone with single hosts",
                        printable(routing)));
}

}  // namespace busline
