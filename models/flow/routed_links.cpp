#include "models/flow/routed_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "platforms/topology/generate.hpp"

namespace busline {

Expected<RoutedNetwork> RoutedNetwork::of(const MachineGroup& machine, NodeId first_node) {
  RoutedNetwork made;
  made.network_ = &machine.network;
  made.first_node_ = first_node;
  auto topology = make_topology(*machine.network.topology);
  if (!topology) return tl::unexpected(std::move(topology.error()));
  std::uint64_t nodes = 0;
  for (const auto& g : machine.nodes) nodes += g.count;
  if (nodes > topology->hosts()) {
    Error e;
    e.message = fmt::format("the topology has {} hosts, expected one for each of the {} nodes or more",
                            topology->hosts(), nodes);
    return tl::unexpected(std::move(e));
  }
  made.topology_ = std::make_unique<Topology>(std::move(*topology));
  const auto& described = *machine.network.topology;
  auto routes = Routes::of(*made.topology_, described.routing, described.seed);
  if (!routes) return tl::unexpected(std::move(routes.error()));
  made.routes_ = std::make_unique<Routes>(std::move(*routes));
  return made;
}

RoutedLinks::RoutedLinks(const RoutedNetwork& network, Flows& flows)
    : network_(network),
      flows_(flows),
      crosstraffic_(network.network().flow.crosstraffic),
      full_rate_(network.network().bandwidth.in_bytes_per_second() * kUnitsPerByte),
      links_(network.topology().directed_links()),
      full_speed_(network.topology().hosts(), kUnused) {}

double RoutedLinks::capacity(std::uint32_t directed_link) const {
  const auto& figures = network_.topology().figures_of(directed_link);
  return figures.rate(network_.network().bandwidth).in_bytes_per_second() * kUnitsPerByte;
}

/// The links of route_. Unlimited links slow no flow.
void RoutedLinks::append_numbers(std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  for (const auto l : route_) {
    const auto limit = capacity(l);
    if (std::isinf(limit)) continue;
    auto& link = links_[l];
    if (link.number == kUnused) link.number = flows_.add_link(limit, true);
    numbers.push_back(link.number);
  }
}

const RoutedLinks::Way& RoutedLinks::find(NodeId from, NodeId to, std::uint64_t hash) {
  const auto host = network_.host_of(from), target = network_.host_of(to);
  if (crosstraffic_) {
    route_.clear();
    network_.routes().append(target, host, hash, route_);
    append_numbers(way_.back);
  }
  route_.clear();
  network_.routes().append(host, target, hash, route_);
  append_numbers(way_.links);
  way_.latency = {};
  way_.rate = std::numeric_limits<double>::infinity();
  for (const auto l : route_) {
    way_.latency += network_.topology().figures_of(l).latency;
    way_.rate = std::min(way_.rate, capacity(l));
  }
  if (way_.rate > full_rate_) {
    // One for each host, since a link on all routes would couple all flows of the network.
    auto& link = full_speed_[host];
    if (link == kUnused) link = flows_.add_link(full_rate_, false);
    way_.links.push_back(link);
    way_.rate = full_rate_;
  }
  return way_;
}

void RoutedLinks::count(std::uint64_t amount) {
  for (const auto l : route_) {
    ++links_[l].messages;
    links_[l].busy += static_cast<double>(amount) / capacity(l);
  }
}

void RoutedLinks::identify(std::uint32_t directed_link, ResourceResult& result) const {
  const auto& topology = network_.topology();
  const auto link = directed_link / 2;
  const bool first_way = directed_link % 2 == 0;
  if (link < topology.links()) {
    const auto ends = topology.link(link);
    result.id = {ResourceKind::switch_link, link};
    result.label = fmt::format("from switch {} to {}", topology.name_of(first_way ? ends.a : ends.b),
                               topology.name_of(first_way ? ends.b : ends.a));
    return;
  }
  const auto host = (link - topology.links()) / topology.host_ports();
  result.id.kind = first_way ? ResourceKind::host_link_out : ResourceKind::host_link_in;
  result.id.owner = raw(network_.node_of(host));
  if (topology.host_ports() > 1) result.id.port = (link - topology.links()) % topology.host_ports();
}

void RoutedLinks::append_resources(std::vector<ResourceResult>& all) const {
  for (std::uint32_t l = 0; l < links_.size(); ++l) {
    if (links_[l].messages == 0) continue;
    all.push_back({{}, 1, Duration::seconds(links_[l].busy), {}, links_[l].messages, 0});
    identify(l, all.back());
  }
}

}  // namespace busline
