#include "models/costs/costs.hpp"

#include <algorithm>
#include <map>

#include "models/costs/link_bound.hpp"

namespace busline {
namespace {

// Dimemas 5.5 treats latencies below a nanosecond as 0 (docs/model.md, section 6.5).
Duration startup(Duration latency, bool leveled) {
  return leveled && latency < Duration::picoseconds(1000) ? Duration{} : latency;
}

// At most a quarter of the clock's range, so that overheads and flight times can be added.
Duration scaled(Duration d, double factor) {
  constexpr auto kMost = Duration::picoseconds(Duration::max().count() / 4);
  return factor == 1 ? d : std::min(kMost, Duration::from_double(static_cast<double>(d.count()) * factor));
}

bool holds(const DedicatedConnection::Condition& c, Bytes size) {
  using Compare = DedicatedConnection::Condition::Compare;
  switch (c.compare) {
    case Compare::less:
      return size < c.size;
    case Compare::equal:
      return size == c.size;
    case Compare::greater:
      break;
  }
  return size > c.size;
}

}  // namespace

DimemasCosts::DimemasCosts(const Platform& platform, const Machine& machine, Contention contention,
                           std::uint64_t noise_seed)
    : platform_(platform),
      contention_(contention),
      noise_seed_(noise_seed),
      leveled_(platform.preset == Preset::dimemas_5_5) {
  for (std::uint32_t m = 0; m < platform.machines.size(); ++m) {
    const auto& network = platform.machines[m].network;
    std::uint32_t nodes = 0;
    for (const auto& g : platform.machines[m].nodes) {
      Group group;
      group.group = &g;
      group.machine = m;
      group.memory_latency = startup(g.intra_node.latency, leveled_);
      group.network_latency = startup(g.latency.value_or(network.latency), leveled_);
      group.wan_latency = startup(g.wan_latency.value_or(platform.wan.latency), leveled_);
      groups_.push_back(group);
      node_group_.insert(node_group_.end(), g.count, static_cast<std::uint32_t>(groups_.size() - 1));
      nodes += g.count;
    }
    machine_nodes_.push_back(nodes);
  }
  make_plain_figures();
  places_.reserve(machine.rank_node.size());
  for (const auto node : machine.rank_node)
    places_.push_back({node, node_group_[node], groups_[node_group_[node]].machine});
}

void DimemasCosts::make_plain_figures() {
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    auto& g = groups_[i];
    const auto& network = platform_.machines[g.machine].network;
    g.plain = network.size_classes.empty();
    g.self = g.group->self.has_value();
    g.receive_overhead = g.group->overheads.receive.count();
    g.bandwidth[0] = g.group->intra_node.bandwidth;
    g.bandwidth[1] = network.bandwidth;
    for (const auto route : {Route::memory, Route::network}) {
      const auto at = route == Route::memory ? 0 : 1;
      const auto l = latency(route, i, Bytes{0}, 0).count();
      const bool flies = in_flight(route, i);
      g.send_overhead[at] = g.group->overheads.send.count() + (flies ? 0 : l);
      g.receive_latency[at] = flies ? 0 : l;
      g.flight[at] = flies ? l : 0;
    }
  }
}

// ---- messages

Route DimemasCosts::route(RankId source, RankId destination, Bytes size, std::int32_t tag,
                          std::uint32_t* connection) const {
  if (source == destination) return Route::self;
  const Place& a = places_[source];
  const Place& b = places_[destination];
  if (a.node == b.node) return Route::memory;
  if (a.machine == b.machine) return Route::network;
  const auto& all = platform_.dedicated_connections;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const auto& d = all[i];
    const bool joins = (d.machine_a == a.machine && d.machine_b == b.machine) ||
                       (d.machine_a == b.machine && d.machine_b == a.machine);
    if (!joins || std::find(d.tags.begin(), d.tags.end(), tag) == d.tags.end()) continue;
    const bool first = holds(d.first, size);
    const bool second = holds(d.second, size);
    if (d.both ? first && second : first || second) {
      if (connection != nullptr) *connection = i;
      return Route::dedicated;
    }
  }
  return Route::wan;
}

const SizeClass* DimemasCosts::size_class(std::uint32_t machine, Bytes size) const {
  const SizeClass* found = nullptr;
  for (const auto& c : platform_.machines[machine].network.size_classes)
    if (c.from <= size) found = &c;
  return found;
}

Duration DimemasCosts::latency(Route route, std::uint32_t group, Bytes size, std::uint32_t connection) const {
  const Group& g = groups_[group];
  switch (route) {
    case Route::self:
      if (g.self) return startup(g.group->self->latency, leveled_);
      [[fallthrough]];
    case Route::memory:
      return g.memory_latency;
    case Route::network: {
      const auto* c = size_class(g.machine, size);
      return c == nullptr ? g.network_latency : scaled(g.network_latency, c->latency_factor);
    }
    case Route::wan:
      return g.wan_latency;
    case Route::dedicated:
      break;
  }
  return startup(platform_.dedicated_connections[connection].latency, leveled_);
}

bool DimemasCosts::in_flight(Route route, std::uint32_t group) const {
  const Group& g = groups_[group];
  if (route == Route::self && g.self) return true;
  const auto at = route == Route::wan || route == Route::dedicated
                      ? platform_.wan.latency_at
                      : platform_.machines[g.machine].network.latency_at;
  return at == Network::LatencyAt::flight;
}

Duration DimemasCosts::send_overhead(Route route, RankId source, Bytes size, std::uint32_t connection) const {
  const Place& a = places_[source];
  if (route == Route::self && groups_[a.group].self) return {};  // its latency has both calls
  const Duration own = groups_[a.group].group->overheads.send;
  return in_flight(route, a.group) ? own : own + latency(route, a.group, size, connection);
}

Duration DimemasCosts::receive_overhead(Route route, RankId source, RankId destination, Bytes size,
                                        std::uint32_t connection) const {
  const Place& a = places_[source];
  if (route == Route::self && groups_[a.group].self) return {};
  const Duration own = groups_[places_[destination].group].group->overheads.receive;
  return in_flight(route, a.group) ? own : own + latency(route, a.group, size, connection);
}

Duration DimemasCosts::open_receive_overhead(RankId destination, Bytes size) const {
  const auto route = machine_nodes_[places_[destination].machine] > 1 ? Route::network : Route::memory;
  return receive_overhead(route, destination, destination, size, 0);
}

Duration DimemasCosts::transfer(Route route, RankId source, Bytes size, std::uint32_t connection) const {
  const Place& a = places_[source];
  switch (route) {
    case Route::self:
      if (groups_[a.group].self) return size / groups_[a.group].group->self->bandwidth;
      [[fallthrough]];
    case Route::memory:
      return size / groups_[a.group].group->intra_node.bandwidth;
    case Route::network: {
      const auto bandwidth = platform_.machines[a.machine].network.bandwidth;
      const auto* c = size_class(a.machine, size);
      if (c == nullptr) return size / bandwidth;
      return size / Bandwidth::bytes_per_second(bandwidth.in_bytes_per_second() * c->bandwidth_factor);
    }
    case Route::wan:
      return size / platform_.wan.bandwidth;
    case Route::dedicated:
      break;
  }
  return size / platform_.dedicated_connections[connection].bandwidth;
}

Duration DimemasCosts::flight(Route route, RankId source, RankId destination, Bytes size,
                              std::uint32_t connection) const {
  const Place& a = places_[source];
  Duration t;
  if (in_flight(route, a.group)) t += latency(route, a.group, size, connection);
  // An instantaneous WAN or connection has no flight time either (docs/model.md, section 3.1).
  if (route == Route::wan && !platform_.wan.bandwidth.is_unlimited() && !platform_.wan.flight.empty())
    t += platform_.wan.flight[a.machine][places_[destination].machine];
  if (route == Route::dedicated) {
    const auto& d = platform_.dedicated_connections[connection];
    if (!d.bandwidth.is_unlimited()) t += d.flight;
  }
  return t;
}

MessageCost DimemasCosts::message(RankId source, RankId destination, Bytes size, std::int32_t tag) const {
  MessageCost m;
  m.route = route(source, destination, size, tag, &m.connection);
  m.send_overhead = send_overhead(m.route, source, size, m.connection);
  m.receive_overhead = receive_overhead(m.route, source, destination, size, m.connection);
  m.transfer = transfer(m.route, source, size, m.connection);
  m.flight = flight(m.route, source, destination, size, m.connection);
  return m;
}

// ---- derivatives

bool DimemasCosts::has_network_latency(const Group& g) const {
  const auto latency = platform_.machines[g.machine].network.latency;
  return !g.group->latency && startup(latency, leveled_) == latency;
}

double DimemasCosts::latencies(RankId source, RankId destination, Bytes size) const {
  const Place& a = places_[source];
  const Place& b = places_[destination];
  if (a.node == b.node || a.machine != b.machine || !has_network_latency(groups_[a.group])) return 0;
  const auto* c = size_class(a.machine, size);
  return c == nullptr ? 1 : c->latency_factor;
}

double DimemasCosts::latencies_on_cpu(RankId source, RankId destination, Bytes size) const {
  return in_flight(Route::network, places_[source].group) ? 0 : latencies(source, destination, size);
}

double DimemasCosts::latencies_in_flight(RankId source, RankId destination, Bytes size) const {
  return in_flight(Route::network, places_[source].group) ? latencies(source, destination, size) : 0;
}

double DimemasCosts::latencies_on_cpu_of_open_receive(RankId destination, Bytes size) const {
  const Place& a = places_[destination];
  if (machine_nodes_[a.machine] < 2 || in_flight(Route::network, a.group) ||
      !has_network_latency(groups_[a.group]))
    return 0;
  const auto* c = size_class(a.machine, size);
  return c == nullptr ? 1 : c->latency_factor;
}

double DimemasCosts::latencies_in_collective_overhead(RankId rank, const CommunicatorShape& shape) const {
  const Group& g = groups_[places_[rank].group];
  const auto most = collective_overhead(rank, shape);
  const bool is_networks = shape.spans_nodes() && most > Duration() && most == g.network_latency;
  return is_networks && has_network_latency(g) ? 1 : 0;
}

// ---- communicators

CommunicatorShape DimemasCosts::shape(std::span<const std::uint32_t> members) const {
  CommunicatorShape s;
  s.members = static_cast<std::uint32_t>(members.size());
  std::map<NodeId, std::uint32_t> per_node;
  for (const auto rank : members) ++per_node[places_[RankId{rank}].node];
  for (const auto& [node, count] : per_node) {
    if (count > 1) s.shares_nodes = true;
    const auto group = node_group_[node];
    const auto machine = groups_[group].machine;
    if (s.machines.empty() || s.machines.back().machine != machine) s.machines.push_back({machine, 0, {}});
    auto& here = s.machines.back();
    ++here.nodes;
    const bool known = std::any_of(here.shares.begin(), here.shares.end(), [&, n = count](const auto& x) {
      return x.group == group && x.members == n;
    });
    if (!known) here.shares.push_back({group, count});
  }
  return s;
}

Duration DimemasCosts::collective_overhead(RankId rank, const CommunicatorShape& shape) const {
  if (!leveled_) return {};
  const Group& g = groups_[places_[rank].group];
  Duration most;
  if (shape.spans_machines()) most = std::max(most, g.wan_latency);
  if (shape.spans_nodes()) most = std::max(most, g.network_latency);
  if (shape.shares_nodes) most = std::max(most, g.memory_latency);
  return most;
}

bool DimemasCosts::binds_links(const CommunicatorShape& shape) const {
  return contention_ != Contention::ignored && !shape.spans_machines() && shape.spans_nodes();
}

Duration DimemasCosts::through_links(const Links& links, const Network& network, double bytes) {
  if (links.kind == Links::Kind::unlimited) return {};
  double bandwidth_factor = 1;
  for (const auto& c : network.size_classes)
    bandwidth_factor = std::max(bandwidth_factor, c.bandwidth_factor);
  return Duration::seconds(bytes / (network.bandwidth.in_bytes_per_second() * bandwidth_factor) /
                           static_cast<double>(std::max(links.in, links.out)));
}

Duration DimemasCosts::through_links(NodeId node, double bytes) const {
  const auto& group = groups_[node_group_[node]];
  return through_links(group.group->links, platform_.machines[group.machine].network, bytes);
}

Duration DimemasCosts::link_bound(CollectiveKind kind, const CommunicatorShape& shape,
                                  std::uint64_t send_bytes, std::uint64_t recv_bytes,
                                  const std::optional<OwnParts>& parts) const {
  if (!binds_links(shape)) return {};
  const auto& here = shape.machines.front();
  const auto& network = platform_.machines[here.machine].network;
  // The whole vector goes into a reduce-scatter, and a part of it comes out.
  const bool scatters_sum =
      kind == CollectiveKind::reduce_scatter || kind == CollectiveKind::reduce_scatter_block;
  const auto bytes = scatters_sum ? recv_bytes : std::max(send_bytes, recv_bytes);
  const bool uneven = parts && is_uneven(*parts, shape.members);
  const bool binds_all = binds_every_node(kind) && !uneven;
  std::optional<Duration> bound;
  for (const auto& share : here.shares) {
    const MembersOfNode node{shape.members, here.nodes, share.members};
    const auto t = through_links(
        groups_[share.group].group->links, network,
        uneven ? uneven_bytes_through_node(kind, node, *parts) : bytes_through_node(kind, node, bytes));
    bound = !bound ? t : binds_all ? std::max(*bound, t) : std::min(*bound, t);
  }
  return bound.value_or(Duration{});
}

}  // namespace busline
