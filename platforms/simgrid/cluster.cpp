#include "platforms/simgrid/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

namespace busline {
namespace {

bool all_alike(const SimGridMachine& machine) {
  return machine.group.nodes.size() == 1 && !machine.nodes.front()->latency &&
         std::isfinite(machine.nodes.front()->relative_speed);
}

// The common figures of these links; nothing if they differ.
std::optional<LinkFigures> common_figures(const Topology& t, std::uint32_t begin, std::uint32_t end) {
  for (auto l = begin; l < end; ++l)
    if (t.figures_of(l) != t.figures_of(begin)) return std::nullopt;
  return begin < end ? t.figures_of(begin) : LinkFigures();
}

std::string cluster_text(const SimGridMachine& machine, const LinkFigures& link,
                         const std::string& topology) {
  const auto& g = *machine.nodes.front();
  return fmt::format(
      "<cluster id=\"network\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"{}Gf\" core=\"{}\" "
      "bw=\"{}\" lat=\"{}\" loopback_bw=\"{}\" loopback_lat=\"{}\"{}/>\n",
      machine.nodes.size() - 1, g.relative_speed, g.cpus,
      simgrid_rate(link.rate(machine.network().bandwidth).in_bytes_per_second()),
      simgrid_time(std::max(kLeastSimGridLatency, link.latency)),
      simgrid_rate(g.intra_node.bandwidth.in_bytes_per_second()), simgrid_time(g.intra_node.latency),
      topology);
}

}  // namespace

std::optional<std::string> simgrid_cluster(const SimGridMachine& machine, const Topology& t,
                                           std::vector<std::string>& left_out) {
  // Its messages pay only for links, and all links are alike.
  const auto& described = *machine.network().topology;
  if (!all_alike(machine) || described.routing != Routing::minimal ||
      machine.network().latency > Duration() || t.hosts() != machine.nodes.size())
    return std::nullopt;
  const auto between = common_figures(t, 0, 2 * t.links()),
             of_hosts = common_figures(t, 2 * t.links(), t.directed_links());
  if (!between || !of_hosts) return std::nullopt;
  const auto limit = [&](const LinkFigures& f) {
    return f.rate(machine.network().bandwidth).in_bytes_per_second();
  };
  const auto& shape = t.shape();
  if (const auto* tree = std::get_if<TreeShape>(&shape)) {
    if (limit(*of_hosts) > machine.bandwidth() || std::isinf(limit(*of_hosts))) return std::nullopt;
    if (t.switches() == 1)
      return t.host_ports() == 1 ? std::optional(cluster_text(machine, *of_hosts, "")) : std::nullopt;
    if (*between != *of_hosts) return std::nullopt;
    auto parallel = tree->parallel;
    if (!parallel.empty()) parallel.front() = t.host_ports();
    return cluster_text(
        machine, *of_hosts,
        fmt::format(" topology=\"FAT_TREE\" topo_parameters=\"{};{};{};{}\"", tree->down.size(),
                    fmt::join(tree->down, ","), fmt::join(tree->up, ","), fmt::join(parallel, ",")));
  }
  const auto* grid = std::get_if<GridShape>(&shape);
  if (grid == nullptr || grid->wrap != GridShape::Wrap::torus || t.hosts() != t.switches())
    return std::nullopt;
  // SimGrid's hosts are the routers.
  if (of_hosts->latency > Duration() || !std::isinf(limit(*of_hosts)) ||
      limit(*between) > machine.bandwidth() || std::isinf(limit(*between)))
    return std::nullopt;
  if (std::any_of(grid->dimensions.begin(), grid->dimensions.end(),
                  [](std::uint32_t n) { return n > 2 && n % 2 == 0; }))
    left_out.emplace_back("the direction of messages where both directions are equally long");
  return cluster_text(
      machine, *between,
      fmt::format(" topology=\"TORUS\" topo_parameters=\"{}\"", fmt::join(grid->dimensions, ",")));
}

}  // namespace busline
