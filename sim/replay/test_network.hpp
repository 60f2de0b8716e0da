// A network for the replay's own tests: times that are easy to add up, and no contention.
#pragma once
#include <cstdint>
#include <optional>

#include "sim/base/durations.hpp"
#include "sim/replay/replay.hpp"

namespace busline {

/// A call costs `overhead` ps, a message `transfer` + bytes ps and `flight`, a collective `collective` ps.
struct TestNetwork {
  std::int64_t overhead = 0, transfer = 0, flight = 0, collective = 0, handshake_time = 0;
  std::uint64_t rendezvous_from = 1'000'000;
  bool complete_at_transfer = false, in_calls = false, behind_data = false;
  std::optional<Algorithm> named{};  // for all collectives that have it

  std::int64_t send_overhead(RankId, const Operation&) const { return overhead; }
  std::int64_t receive_overhead(RankId, const Operation&) const { return overhead; }
  std::int64_t collective_overhead(RankId, CommunicatorId, bool) const { return 0; }
  void prepare(Message& m) const {
    m.transfer = transfer + static_cast<std::int64_t>(m.bytes);
    m.flight = flight;
  }
  bool is_rendezvous(RankId, const Operation& op) const {
    if ((op.flags & Operation::buffered) != 0) return false;
    return (op.flags & Operation::synchronous) != 0 ||
           static_cast<std::uint64_t>(op.amount) >= rendezvous_from;
  }
  std::int64_t handshake(RankId, RankId, std::uint64_t) const { return handshake_time; }
  std::int64_t local_overhead(RankId, const Operation& op) const { return overhead + op.amount; }
  bool sends_complete_at_transfer() const { return complete_at_transfer; }
  bool progresses_in_calls() const { return in_calls; }
  bool handshakes_behind_data() const { return behind_data; }
  bool reduces_to_root() const { return true; }
  bool names_algorithms() const { return named.has_value(); }
  const Schedule* algorithm(CollectiveKind kind, CommunicatorId, std::uint64_t, bool) const {
    return find_schedule(*named, kind);
  }
  template <class R>
  void launch(R& r, MessageId id) {
    r.begin_transfer(id);
  }
  template <class R>
  void release(R&, MessageId) {}
  template <class R>
  void gather(R& r, CollectiveId id) {
    r.begin_collective(id, collective, 0);
  }
  template <class R>
  void release_collective(R&, CollectiveId) {}
};

/// Each rank on a separate node, or all on one node with `cpus` CPUs.
inline Machine nodes_for(std::uint32_t ranks) {
  Machine m;
  m.nodes.resize(ranks);
  for (const auto n : m.nodes.ids()) m.rank_node.push_back(n);
  return m;
}
inline Machine one_node(std::uint32_t ranks, std::uint32_t cpus) {
  Machine m;
  m.nodes.resize(1);
  m.nodes.front().cpus = cpus;
  m.rank_node.assign(ranks, NodeId{0});
  return m;
}

Result replay(const Program& program, const Machine& machine, TestNetwork network = {});

}  // namespace busline
