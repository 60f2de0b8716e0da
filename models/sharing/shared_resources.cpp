#include "models/sharing/shared_resources.hpp"

#include <fmt/format.h>

namespace busline {

std::uint32_t SharedResources::add(std::string name, Count capacity, bool is_bus) {
  if (capacity == kUnlimited) return kNone;
  resources_.push_back({std::move(name), capacity, is_bus, {}});
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

SharedResources::Ends SharedResources::add_links(const std::string& owner, const Links& links,
                                                 const char* what) {
  switch (links.kind) {
    case Links::Kind::unlimited:
      break;
    case Links::Kind::full_duplex: {
      const auto out = add(fmt::format("{}/{} out", owner, what), links.out, false);
      return {out, add(fmt::format("{}/{} in", owner, what), links.in, false)};
    }
    case Links::Kind::half_duplex: {
      const auto both = add(fmt::format("{}/{}", owner, what), links.in, false);
      return {both, both};
    }
  }
  return {};
}

SharedResources::SharedResources(const DimemasCosts& costs, const Program& program) : costs_(costs) {
  const auto& platform = costs.platform();
  const bool several = platform.machines.size() > 1;
  for (std::size_t m = 0; m < platform.machines.size(); ++m) {
    const auto owner = fmt::format("machine {}", m);
    buses_.push_back(add((several ? owner : "network") + "/buses", platform.machines[m].network.buses, true));
    wan_links_.push_back(several ? add_links(owner, platform.wan.links, "wan/links") : Ends{});
  }
  for (std::size_t i = 0; i < platform.dedicated_connections.size(); ++i)
    dedicated_.push_back(add(fmt::format("dedicated connection {}", i), 1, false));
  for (const auto n : costs.nodes()) {
    const auto& group = costs.group_of_node(n);
    const auto owner = fmt::format("node {}", raw(n));
    node_links_.push_back(add_links(owner, group.links, "links"));
    memory_buses_.push_back(add(owner + "/memory buses", group.intra_node.buses, true));
  }
  for (const auto r : ids<RankId>(program.ranks()))
    ports_.push_back(add_links(fmt::format("rank {}", raw(r)),
                               costs.group_of_node(costs.node_of(r)).intra_node.links, "memory/links"));
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
