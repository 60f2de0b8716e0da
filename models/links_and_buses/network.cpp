#include "models/links_and_buses/network.hpp"

#include <algorithm>
#include <array>

namespace busline {

DimemasNetwork::DimemasNetwork(const DimemasCosts& costs, const Program& program)
    : CostPolicy(costs, program) {
  const auto& platform = costs.platform();
  bool ports_limited = false;
  bool memory_limited = false;
  for (const auto n : costs.nodes()) {
    const auto& group = costs.group_of_node(n);
    node_links_.push_back(make_pool(group.links));
    memory_limited = memory_limited || group.intra_node.buses != kUnlimited;
    ports_limited = ports_limited || group.intra_node.links.kind != Links::Kind::unlimited;
  }
  if (memory_limited)
    for (const auto n : costs.nodes()) {
      memory_buses_.push_back({});
      memory_buses_.back().capacity = costs.group_of_node(n).intra_node.buses;
    }
  if (ports_limited)
    for (const auto r : ids<RankId>(program.ranks()))
      ports_.push_back(make_pool(costs.group_of_node(costs.node_of(r)).intra_node.links));
  for (const auto& m : platform.machines) {
    buses_.push_back({});
    buses_.back().capacity = m.network.buses;
    wan_links_.push_back(make_pool(platform.wan.links));
  }
  dedicated_links_.assign(platform.dedicated_connections.size(), make_pool({Links::Kind::full_duplex, 1, 1}));
  give_owner_places();
}

void DimemasNetwork::give_owner_places() {
  std::size_t places = 0;
  const std::array<std::vector<LinkPool>*, 4> all{&node_links_, &ports_, &wan_links_, &dedicated_links_};
  for (const auto* pools : all)
    for (const auto& p : *pools) places += p.free_out;
  link_owners_.resize(places);
  auto* next = link_owners_.data();
  for (auto* pools : all)
    for (auto& p : *pools) {
      p.out_owners = next;
      next += p.free_out;
    }
}

std::vector<ResourceResult> DimemasNetwork::resources() const {
  using enum ResourceKind;
  std::vector<ResourceResult> all;
  const auto add = [&](ResourceId id, std::uint64_t capacity, const ResourceUse& use, std::uint64_t peak) {
    all.push_back(
        {id, capacity, Duration::picoseconds(use.busy), Duration::picoseconds(use.wait), use.messages, peak});
  };
  const auto add_links = [&](ResourceId out, ResourceId in, const LinkPool& p, const Links& links) {
    if (p.out_use.messages > 0) add(out, links.out, p.out_use, p.out_queue.peak);
    if (p.in_use.messages > 0) add(in, links.in, p.in_use, p.in_queue.peak);
  };
  const auto& platform = costs_.platform();
  const bool several = platform.machines.size() > 1;
  for (std::uint32_t m = 0; m < buses_.size(); ++m) {
    add({bus, several ? m : ResourceId::kOnly}, buses_[m].capacity, buses_[m].use, buses_[m].queue.peak);
    add_links({wan_out, m}, {wan_in, m}, wan_links_[m], platform.wan.links);
  }
  for (std::uint32_t i = 0; i < dedicated_links_.size(); ++i)
    if (const auto& p = dedicated_links_[i]; p.out_use.messages > 0)
      add({connection, i}, 1, p.out_use, p.out_queue.peak);
  for (const auto n : node_links_.ids()) {
    const auto& group = costs_.group_of_node(n);
    add_links({link_out, raw(n)}, {link_in, raw(n)}, node_links_[n], group.links);
    if (!memory_buses_.empty() && memory_buses_[n].use.messages > 0)
      add({memory_bus, raw(n)}, group.intra_node.buses, memory_buses_[n].use, memory_buses_[n].queue.peak);
  }
  for (const auto r : ports_.ids())
    if (ports_[r].out_use.wait + ports_[r].in_use.wait > 0)
      add_links({port_out, raw(r)}, {port_in, raw(r)}, ports_[r],
                costs_.group_of_node(costs_.node_of(r)).intra_node.links);
  return all;
}

}  // namespace busline
