#include "models/fair/network.hpp"

#include <fmt/format.h>

namespace busline {

std::uint32_t FairNetwork::add(std::string name, Count capacity, bool is_bus) {
  if (capacity == kUnlimited) return kNone;
  resources_.push_back({std::move(name), capacity, is_bus, {}});
  return rates_.add_resource(capacity);
}

FairNetwork::Ends FairNetwork::add_links(const std::string& owner, const Links& links, const char* what) {
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

FairNetwork::FairNetwork(const DimemasCosts& costs, const Program& program)
    : NullNetwork(costs, program),
      queues_(costs.platform().machines.front().network.sharing == Network::Sharing::queues),
      in_order_(queues_ || costs.platform().machines.front().network.sharing == Network::Sharing::streams) {
  const auto& platform = costs.platform();
  const bool several = platform.machines.size() > 1;
  for (std::size_t m = 0; m < platform.machines.size(); ++m) {
    const auto owner = fmt::format("machine {}", m);
    buses_.push_back(add((several ? owner : "network") + "/buses", platform.machines[m].network.buses, true));
    wan_links_.push_back(several ? add_links(owner, platform.wan.links, "wan/links") : Ends{});
  }
  for (std::size_t i = 0; i < platform.dedicated_connections.size(); ++i)
    dedicated_.push_back(add(fmt::format("dedicated connection {}", i), 1, false));
  for (std::uint32_t n = 0; n < costs.nodes(); ++n) {
    const auto& group = costs.group_of_node(n);
    const auto owner = fmt::format("node {}", n);
    node_links_.push_back(add_links(owner, group.links, "links"));
    memory_buses_.push_back(add(owner + "/memory buses", group.intra_node.buses, true));
  }
  for (std::uint32_t r = 0; r < program.ranks(); ++r)
    ports_.push_back(add_links(fmt::format("rank {}", r),
                               costs.group_of_node(costs.node_of(r)).intra_node.links, "memory/links"));
  if (queues_) queue_of_.resize(resources_.size());
}

FairNetwork::Queue& FairNetwork::queue_now(std::uint32_t resource, std::int64_t now) {
  Queue& q = queue_of_[resource];
  const double surplus = static_cast<double>(q.streams) - static_cast<double>(resources_[resource].capacity);
  q.waiting = std::max(0., q.waiting + surplus * static_cast<double>(now - q.since));
  q.since = now;
  return q;
}

/// The limited resources that the message needs, each once.
std::vector<std::uint32_t>& FairNetwork::way_of(const Message& m) {
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

/// Between nodes what goes from one to the other; inside a node, from one rank to another.
FairNetwork::Stream& FairNetwork::stream_of(const Message& m) {
  const auto route = static_cast<Route>(m.route);
  const bool inside = route == Route::memory || route == Route::self;
  const std::uint64_t from = inside ? m.source : costs_.node_of(m.source);
  const std::uint64_t to = inside ? m.destination : costs_.node_of(m.destination);
  return streams_[(std::uint64_t{inside} << 63U) | (from << 32U) | to];
}

std::vector<ResourceResult> FairNetwork::resources() const {
  std::vector<ResourceResult> all;
  for (std::uint32_t i = 0; i < resources_.size(); ++i) {
    const auto& r = resources_[i];
    if (r.use.messages == 0) continue;
    const std::size_t peak = queues_ ? queue_of_[i].peak : rates_.peak_flows_on(i);
    all.push_back({r.name, r.capacity, Duration::picoseconds(r.use.busy), Duration::picoseconds(r.use.wait),
                   r.use.messages, peak - std::min<std::size_t>(peak, r.capacity)});
  }
  return all;
}

std::size_t FairNetwork::state_bytes() const {
  return rates_.memory() + resources_.capacity() * sizeof(Resource) +
         (node_links_.size() + ports_.size() + wan_links_.size()) * sizeof(Ends) +
         transfers_.capacity() * sizeof(Transfer) + queue_of_.capacity() * sizeof(Queue);
}

}  // namespace busline
