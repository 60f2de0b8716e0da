#include "platforms/simgrid/simgrid_export.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "platforms/simgrid/bus_zone.hpp"
#include "platforms/simgrid/cluster.hpp"
#include "platforms/simgrid/elements.hpp"
#include "platforms/simgrid/left_out.hpp"
#include "platforms/simgrid/way_zone.hpp"
#include "platforms/topology/generate.hpp"

namespace busline {
namespace {

// For comments, in which two adjacent dashes are not allowed.
std::string for_comment(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '-' && safe.ends_with('-')) safe.push_back(' ');
    safe.push_back(c);
  }
  return safe;
}

tl::unexpected<Error> not_for_simgrid(std::string where, std::string message) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.where = std::move(where);
  e.message = std::move(message);
  return tl::unexpected(std::move(e));
}

// The nodes and their links. Adds to `left_out` what this kind of zone cannot hold.
Expected<std::string> zone_text(const SimGridMachine& machine, std::vector<std::string>& left_out) {
  if (!machine.network().topology) return simgrid_bus_zone(machine, left_out);
  const auto topology = make_topology(*machine.network().topology);
  if (!topology) return tl::unexpected(topology.error());
  constexpr const char* kWhere = "/network/topology";
  if (topology->hosts() < machine.nodes.size())
    return not_for_simgrid(kWhere, "the topology has fewer hosts than there are nodes");
  if (auto cluster = simgrid_cluster(machine, *topology, left_out)) return *std::move(cluster);
  if (machine.nodes.size() > kMostListedNodes)
    return not_for_simgrid(
        kWhere, fmt::format("{} nodes have too many pairs for a list of their routes, expected {} at most",
                            machine.nodes.size(), kMostListedNodes));
  return simgrid_way_zone(machine, *topology);
}

std::string file_head(const std::string& name, const std::vector<std::string>& left_out,
                      Diagnostics& diagnostics) {
  std::string text;
  for (const auto& what : left_out) {
    text.append(fmt::format("\n     Left out: {}.", for_comment(what)));
    diagnostics.push_back({Diagnostic::Severity::warning, "left-out",
                           fmt::format("left out, because SimGrid's files cannot hold it: {}", what)});
  }
  // With these options a single message takes the time that the flow model predicts.
  return fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- {}, written by busline.{} -->\n<platform version=\"4.1\">\n<config>\n"
      "  <prop id=\"network/model\" value=\"CM02\"/>\n  <prop id=\"network/crosstraffic\" value=\"no\"/>\n"
      "  <prop id=\"network/TCP-gamma\" value=\"1e18\"/>\n</config>\n",
      for_comment(name), text);
}

}  // namespace

Expected<std::string> to_simgrid_xml(const Platform& platform, Diagnostics& diagnostics) {
  if (platform.machines.size() != 1)
    return not_for_simgrid("/machines", "several machines cannot be written for SimGrid");
  auto left_out = simgrid_left_out(platform);
  const auto zone = zone_text(SimGridMachine(platform.machines.front()), left_out);
  if (!zone) return zone;
  return fmt::format("{}{}</platform>\n", file_head(platform.name, left_out, diagnostics), *zone);
}

}  // namespace busline
