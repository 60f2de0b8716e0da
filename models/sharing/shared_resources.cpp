#include "models/sharing/shared_resources.hpp"

namespace busline {

std::uint32_t SharedResources::add(ResourceId id, Count capacity) {
  if (capacity == kUnlimited) return kNone;
  resources_.push_back({id, capacity});
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

SharedResources::Ends SharedResources::add_links(const LinkKinds& kinds, std::uint32_t owner,
                                                 const Links& links) {
  switch (links.kind) {
    case Links::Kind::unlimited:
      break;
    case Links::Kind::full_duplex: {
      const auto out = add({kinds.out, owner}, links.out);
      return {out, add({kinds.in, owner}, links.in)};
    }
    case Links::Kind::half_duplex: {
      const auto both = add({kinds.both, owner}, links.in);
      return {both, both};
    }
  }
  return {};
}

SharedResources::SharedResources(const DimemasCosts& costs, const Program& program) : costs_(costs) {
  using enum ResourceKind;
  const auto& platform = costs.platform();
  const bool several = platform.machines.size() > 1;
  for (std::uint32_t m = 0; m < platform.machines.size(); ++m) {
    buses_.push_back(add({bus, several ? m : ResourceId::kOnly}, platform.machines[m].network.buses));
    wan_links_.push_back(several ? add_links({wan_out, wan_in, wan_links}, m, platform.wan.links) : Ends{});
  }
  for (std::uint32_t i = 0; i < platform.dedicated_connections.size(); ++i)
    dedicated_.push_back(add({connection, i}, 1));
  for (const auto n : costs.nodes()) {
    const auto& group = costs.group_of_node(n);
    node_links_.push_back(add_links({link_out, link_in, links}, raw(n), group.links));
    memory_buses_.push_back(add({memory_bus, raw(n)}, group.intra_node.buses));
  }
  for (const auto r : ids<RankId>(program.ranks()))
    ports_.push_back(add_links({port_out, port_in, ports}, raw(r),
                               costs.group_of_node(costs.node_of(r)).intra_node.links));
}

const std::vector<std::uint32_t>& SharedResources::way_of(const Message& m) {
  std::uint32_t out = kNone, bus = kNone, in = kNone;
  switch (static_cast<Route>(m.route)) {
    case Route::memory:
      out = ports_[m.source].out;
      in = ports_[m.destination].in;
      [[fallthrough]];
    case Route::self:
      bus = memory_buses_[costs_.node_of(m.source)];
      break;
    case Route::network:
      out = node_links_[costs_.node_of(m.source)].out;
      bus = buses_[costs_.machine_of(m.source)];
      in = node_links_[costs_.node_of(m.destination)].in;
      break;
    case Route::wan:
      out = wan_links_[costs_.machine_of(m.source)].out;
      in = wan_links_[costs_.machine_of(m.destination)].in;
      break;
    case Route::dedicated:
      out = dedicated_[m.connection];
      break;
  }
  way_.clear();
  if (out != kNone) way_.push_back(out);
  if (bus != kNone) way_.push_back(bus);
  if (in != kNone && in != out) way_.push_back(in);
  return way_;
}

}  // namespace busline
