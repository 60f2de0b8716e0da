// The part of a network model that the contended and the ideal one share: the costs of calls, messages and
// collectives (models/costs/costs.hpp), in the form that the replay needs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/costs/costs.hpp"
#include "models/costs/link_bound.hpp"
#include "models/costs/listed_bound.hpp"
#include "models/costs/message_noise.hpp"
#include "models/costs/protocol.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/replay_state.hpp"

namespace busline {

class CostPolicy {
 public:
  /// Both must outlive it. Cost: linear in the members of all communicators.
  CostPolicy(const DimemasCosts& costs, const Program& program) : costs_(costs), program_(program) {
    for (const auto& c : program.communicators()) shapes_.push_back(costs.shape(c.members));
    for (const auto& machine : costs.platform().machines)
      for (const auto& group : machine.nodes) nodes_differ_ |= has_own_protocol(group.intra_node);
    if (costs.noise_seed() != 0 && MessageNoise::needed(costs.platform().noise))
      noise_.emplace(costs.platform().noise, costs.noise_seed());
  }

  std::int64_t send_overhead(RankId rank, const Operation& op) const {
    const auto quiet = quiet_send_overhead(rank, op);
    if (!noise_) [[likely]]
      return quiet;
    return with_noise_above(costs_.group_of_node(costs_.node_of(rank)).overheads.send, quiet);
  }
  std::int64_t receive_overhead(RankId rank, const Operation& op) const {
    const auto quiet = quiet_receive_overhead(rank, op);
    if (!noise_) [[likely]]
      return quiet;
    return with_noise_above(costs_.group_of_node(costs_.node_of(rank)).overheads.receive, quiet);
  }

  /// Dimemas drops the fraction of a nanosecond when such a call starts, but keeps it when it waits.
  std::int64_t collective_overhead(RankId rank, CommunicatorId communicator, bool starts) const {
    const auto t = costs_.collective_overhead(rank, shapes_[communicator]).count();
    return starts ? t / 1000 * 1000 : t;
  }

  /// For a reduce part, `channel` is a strand, and the tag is 0.
  void prepare(Message& m) const {
    prepare_quiet(m);
    if (!noise_) [[likely]]
      return;
    m.transfer = noise_->transfer(m.transfer);
    m.flight = noise_->latency(m.flight);
  }

  /// Bsend is always eager, Ssend never; the limit of the route decides for others. A copy in memory has
  /// none.
  bool is_rendezvous(RankId source, const Operation& op) const {
    if ((op.flags & Operation::buffered) != 0) return false;
    if (asks_for_rendezvous(costs_.platform().mpi, op.flags)) return true;
    if (!is_large(protocol(source, RankId{op.peer}), static_cast<std::uint64_t>(op.amount))) return false;
    return raw(source) != op.peer || !costs_.has_self(source);
  }
  /// A local call, and the bytes that it copies at the node's memory bandwidth.
  std::int64_t local_overhead(RankId rank, const Operation& op) const {
    const auto call = costs_.platform().mpi.local_call;
    if (op.amount == 0) return call.count();
    const auto size = Bytes{static_cast<std::uint64_t>(op.amount)};
    std::uint32_t connection = 0;
    const auto route = costs_.route(rank, rank, size, 0, &connection);
    return saturated_sum(call.count(), costs_.transfer(route, rank, size, connection).count());
  }
  std::int64_t handshake(RankId source, RankId destination, std::uint64_t bytes) const {
    const auto quiet = handshake_of(protocol(source, destination), bytes).count();
    return noise_ ? noise_->latency(quiet) : quiet;
  }
  bool sends_complete_at_transfer() const {
    return costs_.platform().mpi.send_completes == Mpi::SendCompletes::transfer;
  }
  bool progresses_in_calls() const { return costs_.platform().mpi.progress == Mpi::Progress::in_calls; }
  bool handshakes_behind_data() const {
    return costs_.platform().mpi.handshakes == Mpi::Handshakes::behind_data;
  }
  /// The closed forms so far that promised too much.
  std::vector<BelowLinkBound> below_link_bound() const { return link_bound_.found(); }
  bool names_algorithms() const { return costs_.names_algorithms(); }
  const Schedule* algorithm(CollectiveKind kind, CommunicatorId communicator, std::uint64_t bytes,
                            bool nonblocking) const {
    const auto named = costs_.algorithm(kind, shapes_[communicator], bytes, nonblocking);
    return named ? find_schedule(*named, kind) : nullptr;
  }
  bool reduces_to_root() const { return costs_.platform().preset == Preset::dimemas_5_5; }

  /// Costs of a collective whose root, or last member to arrive, has these arguments. `most_sent` and
  /// `most_received` are maxima over the members: without a root the published text defines no sizes, and
  /// these do not depend on the order of arrival. Dimemas 5.5 takes those of the last to arrive.
  CollectivePhases collective_cost(const CollectiveArgs& root, std::uint64_t most_sent,
                                   std::uint64_t most_received, std::span<const RankId> representatives,
                                   std::size_t root_machine) const {
    if (root.kind == CollectiveKind::init || root.kind == CollectiveKind::finalize) return {};
    const auto size = sizes_of(root, most_sent, most_received);
    const auto& shape = shapes_[CommunicatorId{root.communicator}];
    auto cost = costs_.collective(root.kind, shape, size.sent, size.received, representatives, root_machine);
    if (noise_)
      noise_->disturb(cost, costs_.platform().machines[shape.machines.front().machine].network.latency);
    return cost;
  }

 protected:
  /// Picks a member for each machine: the root (or the last to arrive) for its own, else the first to arrive;
  /// in machine order. They leave `arrivals`, and return to its end when the collective begins.
  template <class R>
  void choose_representatives(const R& replay, CollectiveInstance& c) const {
    const auto machine = [&](const CollectiveInstance::Arrival& a) {
      return costs_.machine_of(replay.rank_of(a.strand));
    };
    const auto take = [&](std::size_t i) {
      c.representatives.push_back({c.arrivals[i], machine(c.arrivals[i])});
      c.arrivals.erase(c.arrivals.begin() + static_cast<std::ptrdiff_t>(i));
    };
    const auto root = c.arrivals[c.root];
    take(c.root);
    const auto machines = shapes_[c.communicator].machines.size();
    for (std::size_t i = 0; c.representatives.size() < machines && i < c.arrivals.size();) {
      const bool known = std::any_of(c.representatives.begin(), c.representatives.end(),
                                     [&](const auto& r) { return r.machine == machine(c.arrivals[i]); });
      if (known)
        ++i;
      else
        take(i);
    }
    std::sort(c.representatives.begin(), c.representatives.end(),
              [](const auto& a, const auto& b) { return a.machine < b.machine; });
    c.root = 0;
    while (c.representatives[c.root].member.strand != root.strand) ++c.root;
  }

  /// Call it once the representatives are chosen; `c.root` is then the root's place among them.
  template <class R>
  CollectivePhases cost_of(const R& replay, const CollectiveInstance& c) {
    ranks_.clear();
    for (const auto& r : c.representatives) ranks_.push_back(replay.rank_of(r.member.strand));
    const auto& root = program_.collectives()[c.representatives[c.root].member.args];
    const auto cost = collective_cost(root, c.most_sent, c.most_received, ranks_, c.root);
    link_bound_.count(root.kind, cost.held + cost.flight, link_bound(replay, c, root));
    return cost;
  }
  template <class R>
  Duration link_bound(const R& replay, const CollectiveInstance& c, const CollectiveArgs& root) {
    const auto& shape = shapes_[c.communicator];
    if (may_list_blocks(root.kind)) {
      calls_.clear();
      const auto add = [&](const CollectiveInstance::Arrival& a) {
        calls_.push_back({replay.rank_of(a.strand), &program_.collectives()[a.args]});
      };
      for (const auto& a : c.arrivals) add(a);
      for (const auto& r : c.representatives) add(r.member);
      if (const auto bound = listed_link_bound(costs_, shape, program_, calls_)) return *bound;
    }
    const auto size = sizes_of(root, c.most_sent, c.most_received);
    return costs_.link_bound(root.kind, shape, size.sent, size.received, own_parts(root.kind, c));
  }
  /// The members' parts in a v-form, as far as each member knows its own alone.
  static std::optional<OwnParts> own_parts(CollectiveKind kind, const CollectiveInstance& c) {
    using enum CollectiveKind;
    if (kind == gatherv || kind == allgatherv) return OwnParts{c.most_sent, c.all_sent};
    if (kind == scatterv || kind == reduce_scatter) return OwnParts{c.most_received, c.all_received};
    return std::nullopt;
  }

  const DimemasCosts& costs_;
  const Program& program_;
  IdVector<CommunicatorId, CommunicatorShape> shapes_;
  mutable std::optional<MessageNoise> noise_;  // none on a quiet machine; a draw changes what comes next

 private:
  std::int64_t quiet_send_overhead(RankId rank, const Operation& op) const {
    const RankId peer{op.peer};
    if (costs_.is_plain(rank, peer)) return costs_.plain_send_overhead(rank, peer);
    const auto size = Bytes{static_cast<std::uint64_t>(op.amount)};
    std::uint32_t connection = 0;
    const auto route = costs_.route(rank, peer, size, tag_of(op.detail), &connection);
    return costs_.send_overhead(route, rank, size, connection).count();
  }

  std::int64_t quiet_receive_overhead(RankId rank, const Operation& op) const {
    const auto size = Bytes{static_cast<std::uint64_t>(op.amount)};
    if (op.peer == kAnySource) return costs_.open_receive_overhead(rank, size).count();
    const RankId peer{op.peer};
    if (costs_.is_plain(peer, rank)) return costs_.plain_receive_overhead(peer, rank);
    std::uint32_t connection = 0;
    const auto route = costs_.route(peer, rank, size, tag_of(op.detail), &connection);
    return costs_.receive_overhead(route, peer, rank, size, connection).count();
  }

  void prepare_quiet(Message& m) const {
    const auto size = Bytes{m.bytes};
    if (costs_.is_plain(m.source, m.destination)) {
      m.route = static_cast<std::uint8_t>(costs_.plain_route(m.source, m.destination));
      m.transfer = costs_.plain_transfer(m.source, m.destination, size).count();
      m.flight = costs_.plain_flight(m.source, m.destination);
      return;
    }
    const auto tag = m.is(Message::reduce_part) ? 0 : tag_of(raw(m.channel));
    std::uint32_t connection = 0;
    const auto route = costs_.route(m.source, m.destination, size, tag, &connection);
    m.route = static_cast<std::uint8_t>(route);
    m.connection = static_cast<std::uint8_t>(connection);
    m.transfer = costs_.transfer(route, m.source, size, connection).count();
    m.flight = costs_.flight(route, m.source, m.destination, size, connection).count();
  }

  /// The part above `own`, which is CPU time, is latency.
  std::int64_t with_noise_above(Duration own, std::int64_t quiet) const {
    return quiet <= own.count() ? quiet : saturated_sum(own.count(), noise_->latency(quiet - own.count()));
  }
  RouteProtocol protocol(RankId a, RankId b) const {
    const auto& mpi = costs_.platform().mpi;
    const auto node = nodes_differ_ ? costs_.node_of(a) : NodeId{};
    if (!nodes_differ_ || node != costs_.node_of(b)) [[likely]]
      return network_protocol(mpi);
    return memory_protocol(mpi, costs_.group_of_node(node).intra_node);
  }
  struct Sizes {
    std::uint64_t sent = 0, received = 0;
  };
  Sizes sizes_of(const CollectiveArgs& root, std::uint64_t most_sent, std::uint64_t most_received) const {
    const bool published = costs_.platform().preset == Preset::published;
    if (published && root.kind == CollectiveKind::barrier) most_sent = most_received = 0;
    const bool own_sizes = !published || (root.is_root && has_root(root.kind));
    return own_sizes ? Sizes{root.send_bytes, root.recv_bytes} : Sizes{most_sent, most_received};
  }
  std::int32_t tag_of(std::uint32_t detail) const {
    constexpr std::int32_t kNoTag = -1;  // no dedicated connection takes it
    if (detail == kPartChannel) return kNoTag;
    return (detail & kAnyChannel) != 0 ? program_.wildcards()[detail & ~kAnyChannel].tag
                                       : program_.channels()[detail].tag;
  }

  bool nodes_differ_ = false;        // some node has a protocol of its own
  std::vector<RankId> ranks_;        // kept for its capacity
  std::vector<CallOfMember> calls_;  // likewise
  LinkBoundCounter link_bound_;
};

}  // namespace busline
