// The clock of a Dataflow that builds a graph of its run instead of computing times.
#pragma once
#include <cstdint>

#include "models/curve/max_plus_graph.hpp"
#include "models/ideal/picosecond_clock.hpp"

namespace busline {

/// A DataflowClock that takes each span from the clocks of two machines, and assumes that it changes linearly
/// between them. Where order_free() holds, the matching of messages does not depend on time, so both machines
/// have the same graph.
class LineClock {
 public:
  using Instant = MaxPlusGraph::Point;
  using Span = Line;
  static constexpr bool kCounts = false;

  /// The clocks must outlive it.
  LineClock(PicosecondClock& from, PicosecondClock& to) : from_(from), to_(to) {}

  Instant after(Instant t, Span d) {
    if (__builtin_add_overflow(t.after.start, d.start, &t.after.start) ||
        __builtin_add_overflow(t.after.rise, d.rise, &t.after.rise)) [[unlikely]]
      overflow_ = true;
    return t;
  }
  Instant later(const Instant& a, const Instant& b) { return graph_.later(a, b); }
  bool overflowed() const { return overflow_; }
  const MaxPlusGraph& graph() const { return graph_; }

  Span burst(StrandId strand, NodeId node, const Operation& op) const {
    return between(from_.burst(strand, node, op), to_.burst(strand, node, op));
  }
  void user_event(StrandId strand, const Operation& op) {
    from_.user_event(strand, op);
    to_.user_event(strand, op);
  }
  Span send_overhead(RankId rank, const Operation& op) const {
    return between(from_.send_overhead(rank, op), to_.send_overhead(rank, op));
  }
  Span receive_overhead(RankId rank, const Operation& op) const {
    return between(from_.receive_overhead(rank, op), to_.receive_overhead(rank, op));
  }
  Span collective_overhead(RankId rank, CommunicatorId communicator, bool starts) const {
    return between(from_.collective_overhead(rank, communicator, starts),
                   to_.collective_overhead(rank, communicator, starts));
  }
  Span local_overhead(RankId rank, const Operation& op) const {
    return between(from_.local_overhead(rank, op), to_.local_overhead(rank, op));
  }
  Span handshake(RankId rank, const Operation& op) const {
    return between(from_.handshake(rank, op), to_.handshake(rank, op));
  }
  bool is_rendezvous(RankId rank, const Operation& op) const { return from_.is_rendezvous(rank, op); }
  bool sends_complete_at_transfer() const { return from_.sends_complete_at_transfer(); }
  MessageSpans<Span> message(RankId rank, const Operation& op) const {
    const auto a = from_.message(rank, op), b = to_.message(rank, op);
    return {between(a.transfer, b.transfer), between(a.flight, b.flight)};
  }
  Span collective(const CollectiveArgs& root, std::uint64_t most_sent, std::uint64_t most_received,
                  RankId anyone) const {
    return between(from_.collective(root, most_sent, most_received, anyone),
                   to_.collective(root, most_sent, most_received, anyone));
  }

 private:
  static Line between(std::int64_t start, std::int64_t end) { return {start, end - start}; }

  PicosecondClock& from_;
  PicosecondClock& to_;
  MaxPlusGraph graph_;
  bool overflow_ = false;
};

}  // namespace busline
