#include "platforms/simgrid/way_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platforms/topology/routes.hpp"

namespace busline {
namespace {

// Whether nodes need a link that limits each message separately: for costs besides links, for a maximum
// bandwidth of messages, and where links take no time.
bool needs_ports(const SimGridMachine& machine, const Topology& t) {
  for (std::size_t i = 0; i < machine.nodes.size(); ++i)
    if (machine.latency_of(i) > Duration()) return true;
  for (const auto& f : t.figures())
    if (f.latency == Duration() ||
        f.rate(machine.network().bandwidth).in_bytes_per_second() > machine.bandwidth())
      return true;
  return false;
}

}  // namespace

Expected<std::string> simgrid_way_zone(const SimGridMachine& machine, const Topology& t) {
  const auto& described = *machine.network().topology;
  const auto routes = Routes::of(t, described.routing, described.seed);
  if (!routes) return tl::unexpected(routes.error());
  std::string hosts, links, list;
  std::vector<bool> used(t.directed_links() / 2, false);
  const bool ports = needs_ports(machine, t);
  for (std::uint32_t i = 0; i < machine.nodes.size(); ++i) {
    const auto& memory = machine.nodes[i]->intra_node;
    hosts += simgrid_host(machine, i);
    links += simgrid_link(fmt::format("memory-{}", i), memory.bandwidth.in_bytes_per_second(), memory.latency,
                          false);
    if (ports)
      links += simgrid_link(fmt::format("node-{}", i), machine.bandwidth(),
                            std::max(kLeastSimGridLatency, machine.latency_of(i)), false);
    list += fmt::format(
        "  <route src=\"node-{0}\" dst=\"node-{0}\" symmetrical=\"NO\"><link_ctn id=\"memory-{0}\"/>"
        "</route>\n",
        i);
  }
  std::vector<std::uint32_t> way;
  for (std::uint32_t i = 0; i < machine.nodes.size(); ++i)
    for (std::uint32_t j = 0; j < machine.nodes.size(); ++j) {
      if (i == j) continue;
      way.clear();
      routes->append(i, j, (std::uint64_t{i} << 32U) | j, way);
      list += fmt::format("  <route src=\"node-{}\" dst=\"node-{}\" symmetrical=\"NO\">", i, j);
      if (ports) list += fmt::format("<link_ctn id=\"node-{}\"/>", i);
      for (const auto l : way) {
        used[l / 2] = true;
        list += fmt::format("<link_ctn id=\"l{}\" direction=\"{}\"/>", l / 2, l % 2 == 0 ? "UP" : "DOWN");
      }
      list += "</route>\n";
    }
  for (std::uint32_t l = 0; l < used.size(); ++l) {
    if (!used[l]) continue;
    const auto& f = t.figures_of(2 * l);
    links += simgrid_split_link(fmt::format("l{}", l),
                                f.rate(machine.network().bandwidth).in_bytes_per_second(), f.latency);
  }
  return fmt::format("<zone id=\"network\" routing=\"Full\">\n{}{}{}</zone>\n", hosts, links, list);
}

}  // namespace busline
