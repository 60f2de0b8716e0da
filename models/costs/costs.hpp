// The costs of messages and collectives on an idle machine: the Dimemas formulas with a platform's figures
// (docs/model.md, sections 3 and 5). The models charge them for every message; 'explain' prints them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/costs/collective_costs.hpp"
#include "models/costs/link_bound.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

enum class Route : std::uint8_t { self, memory, network, wan, dedicated };

/// A single message: the sender's CPU pays send_overhead, then links and bus are held for `transfer`, and the
/// message arrives `flight` after that; an early receiver pays nothing more, since its receive_overhead
/// passes while it waits.
struct MessageCost {
  Route route = Route::network;
  Duration send_overhead, receive_overhead, transfer, flight;
  std::uint32_t connection = 0;  ///< index into Platform::dedicated_connections, for Route::dedicated
};

/// The distribution of a communicator's members: a collective's cost depends on nothing else.
struct CommunicatorShape {
  struct NodeShare {  ///< equal nodes with the same number of members are listed once
    std::uint32_t group = 0, members = 0;
  };
  struct MachineShare {
    std::uint32_t machine = 0, nodes = 0;
    std::vector<NodeShare> shares;  ///< in the order of node ids
  };
  std::uint32_t members = 0;
  std::vector<MachineShare> machines;  ///< ascending
  bool shares_nodes = false;           ///< some node holds at least two members
  bool spans_machines() const { return machines.size() > 1; }
  bool spans_nodes() const { return spans_machines() || (machines.size() == 1 && machines[0].nodes > 1); }
};

/// Whether buses and ports are counted, or taken as unlimited (the ideal model).
enum class Contention : std::uint8_t { counted, ignored };

/// Immutable; shared by threads. The Platform must outlive it.
class DimemasCosts {
 public:
  /// `noise_seed`: SimulateOptions::noise_seed, for those who charge these costs; the costs themselves are
  /// the quiet machine's.
  DimemasCosts(const Platform& platform, const Machine& machine, Contention contention,
               std::uint64_t noise_seed = 0);

  const Platform& platform() const { return platform_; }
  std::uint64_t noise_seed() const { return noise_seed_; }

  MessageCost message(RankId source, RankId destination, Bytes size, std::int32_t tag) const;
  CommunicatorShape shape(std::span<const std::uint32_t> members) const;
  /// `representatives`: the rank whose node's latency counts, one per machine in the shape's order;
  /// `root_machine`: position of the root's machine among them. Both matter under dimemas-5.5 only.
  CollectivePhases collective(CollectiveKind kind, const CommunicatorShape& shape, std::uint64_t send_bytes,
                              std::uint64_t recv_bytes, std::span<const RankId> representatives,
                              std::size_t root_machine) const;
  /// The least time in which the bytes of a collective pass the links of the nodes, under any algorithm
  /// (link_bound.hpp); sizes as for collective(), and the parts of a v-form, if they are known. 0 inside a
  /// node, between machines, with unlimited links, and where contention is ignored.
  Duration link_bound(CollectiveKind kind, const CommunicatorShape& shape, std::uint64_t send_bytes,
                      std::uint64_t recv_bytes, const std::optional<OwnParts>& parts = {}) const;
  /// Whether link_bound() is about such a communicator: false inside a node, between machines, and where
  /// contention is ignored.
  bool binds_links(const CommunicatorShape& shape) const;
  /// The least time in which these bytes pass the links of a node to its machine's network.
  Duration through_links(NodeId node, double bytes) const;
  /// Whether the platform names an algorithm for any operation.
  bool names_algorithms() const;
  /// The algorithm for an operation with this many bytes per rank; none for a closed form. Communicators that
  /// span machines go by the WAN's table, others by their machine's, under both presets. A non-blocking one
  /// takes the library's choice, if the table names a library, else that of the blocking one.
  std::optional<Algorithm> algorithm(CollectiveKind kind, const CommunicatorShape& shape, std::uint64_t bytes,
                                     bool nonblocking = false) const;
  /// CPU time before a rank starts or waits for a non-blocking collective, or takes part in a
  /// root-synchronised Reduce: the largest latency on the path, under dimemas-5.5; else none (docs/model.md,
  /// section 6.4).
  Duration collective_overhead(RankId rank, const CommunicatorShape& shape) const;

  /// The size class of a message of this size in the machine's network; null if none applies.
  const SizeClass* size_class(std::uint32_t machine, Bytes size) const;

  // ---- how many times the network's latency (Network::latency) is in a cost, which is its derivative. A
  // node's own latency is not the network's, nor is one that Dimemas 5.5 treats as 0.
  double latencies_on_cpu(RankId source, RankId destination, Bytes size) const;
  double latencies_on_cpu_of_open_receive(RankId destination, Bytes size) const;
  double latencies_in_flight(RankId source, RankId destination, Bytes size) const;
  double latencies_in_collective_overhead(RankId rank, const CommunicatorShape& shape) const;

  // ---- the parts of message(), for the replay's hot path
  Route route(RankId source, RankId destination, Bytes size, std::int32_t tag,
              std::uint32_t* connection = nullptr) const;
  Duration send_overhead(Route route, RankId source, Bytes size, std::uint32_t connection) const;
  Duration receive_overhead(Route route, RankId source, RankId destination, Bytes size,
                            std::uint32_t connection) const;
  /// For an open receive, whose source is unknown when the overhead is due: as from another node of the
  /// machine.
  Duration open_receive_overhead(RankId destination, Bytes size) const;
  Duration transfer(Route route, RankId source, Bytes size, std::uint32_t connection) const;
  Duration flight(Route route, RankId source, RankId destination, Bytes size, std::uint32_t connection) const;

  // ---- the same for messages inside a machine without size classes, from figures made once
  /// Whether a message between these ranks stays inside a machine whose costs do not depend on its size, and
  /// is not one to oneself with figures of its own.
  bool is_plain(RankId source, RankId destination) const {
    const Place& a = places_[source];
    const Group& g = groups_[a.group];
    return a.machine == places_[destination].machine && g.plain && (source != destination || !g.self);
  }
  Route plain_route(RankId source, RankId destination) const {
    if (source == destination) return Route::self;
    return places_[source].node == places_[destination].node ? Route::memory : Route::network;
  }
  std::int64_t plain_send_overhead(RankId source, RankId destination) const {
    const Place& a = places_[source];
    return groups_[a.group].send_overhead[a.node == places_[destination].node ? 0 : 1];
  }
  std::int64_t plain_receive_overhead(RankId source, RankId destination) const {
    const Place& a = places_[source];
    const Place& b = places_[destination];
    return groups_[a.group].receive_latency[a.node == b.node ? 0 : 1] + groups_[b.group].receive_overhead;
  }
  std::int64_t plain_flight(RankId source, RankId destination) const {
    const Place& a = places_[source];
    return groups_[a.group].flight[a.node == places_[destination].node ? 0 : 1];
  }
  Duration plain_transfer(RankId source, RankId destination, Bytes size) const {
    const Place& a = places_[source];
    return size / groups_[a.group].bandwidth[a.node == places_[destination].node ? 0 : 1];
  }

  /// Whether messages of the rank to itself have figures of their own (NodeGroup::self).
  bool has_self(RankId rank) const { return groups_[places_[rank].group].self; }
  NodeId node_of(RankId rank) const { return places_[rank].node; }
  std::uint32_t machine_of(RankId rank) const { return places_[rank].machine; }
  const NodeGroup& group_of_node(NodeId node) const { return *groups_[node_group_[node]].group; }
  IdRange<NodeId> nodes() const { return node_group_.ids(); }

 private:
  struct Place {
    NodeId node{};
    std::uint32_t group = 0, machine = 0;
  };
  struct Group {
    const NodeGroup* group = nullptr;
    std::uint32_t machine = 0;
    Duration memory_latency, network_latency, wan_latency;
    // By route: memory, network. Valid if `plain`; `self`: messages to oneself are not.
    bool plain = false, self = false;
    std::int64_t send_overhead[2] = {}, receive_latency[2] = {}, flight[2] = {};
    std::int64_t receive_overhead = 0;
    Bandwidth bandwidth[2];
  };
  static Duration through_links(const Links& links, const Network& network, double bytes);
  void make_plain_figures();
  Duration latency(Route route, std::uint32_t group, Bytes size, std::uint32_t connection) const;
  bool in_flight(Route route, std::uint32_t group) const;
  bool has_network_latency(const Group& g) const;
  double latencies(RankId source, RankId destination, Bytes size) const;
  const CollectiveCost* entry_of(CollectiveKind kind, const CollectiveTable* own, std::uint64_t bytes) const;
  ClosedForm cost_of(CollectiveKind kind, const CollectiveTable* own, std::uint64_t bytes) const;
  CollectivePhases published_collective(CollectiveKind kind, const CommunicatorShape& shape, std::uint64_t s,
                                        std::uint64_t r) const;
  CollectivePhases leveled_collective(CollectiveKind kind, const CommunicatorShape& shape, std::uint64_t s,
                                      std::uint64_t r, std::span<const RankId> representatives,
                                      std::size_t root_machine) const;

  const Platform& platform_;
  Contention contention_;
  std::uint64_t noise_seed_;
  bool leveled_;  // dimemas-5.5
  std::vector<Group> groups_;
  IdVector<NodeId, std::uint32_t> node_group_;
  std::vector<std::uint32_t> machine_nodes_;
  IdVector<RankId, Place> places_;
};

}  // namespace busline
