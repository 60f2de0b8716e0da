// The clock of an ordinary run without a queue: times are picoseconds.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "models/costs/cost_policy.hpp"
#include "sim/replay/burst_lengths.hpp"

namespace busline {

/// The times of a message.
template <class Span>
struct MessageSpans {
  Span transfer, flight;
};

/// A DataflowClock (models/ideal/dataflow.hpp). Its constructor's arguments must outlive it.
class PicosecondClock {
 public:
  using Instant = std::int64_t;
  using Span = std::int64_t;
  static constexpr bool kCounts = true;

  PicosecondClock(const CostPolicy& costs, const Machine& machine, const Program& program)
      : costs_(costs), bursts_(machine, program.strands().size()) {}

  /// Their sum, or the end of the clock's range, with overflowed() from then on.
  Instant after(Instant t, Span d) {
    Instant sum = 0;
    if (__builtin_add_overflow(t, d, &sum) || sum == Duration::max().count()) [[unlikely]] {
      overflow_ = true;
      return Duration::max().count();
    }
    return sum;
  }
  Instant later(Instant a, Instant b) const { return std::max(a, b); }
  bool overflowed() const { return overflow_; }

  Span burst(StrandId strand, NodeId node, const Operation& op) const {
    return bursts_.length(strand, node, op);
  }
  void user_event(StrandId strand, const Operation& op) { bursts_.user_event(strand, op); }

  Span send_overhead(RankId rank, const Operation& op) const { return costs_.send_overhead(rank, op); }
  Span receive_overhead(RankId rank, const Operation& op) const { return costs_.receive_overhead(rank, op); }
  Span collective_overhead(RankId rank, CommunicatorId communicator, bool starts) const {
    return costs_.collective_overhead(rank, communicator, starts);
  }
  Span local_overhead(RankId rank, const Operation& op) const { return costs_.local_overhead(rank, op); }
  Span handshake(RankId rank, const Operation& op) const {
    return costs_.handshake(rank, RankId{op.peer}, static_cast<std::uint64_t>(op.amount));
  }
  bool is_rendezvous(RankId rank, const Operation& op) const { return costs_.is_rendezvous(rank, op); }
  bool sends_complete_at_transfer() const { return costs_.sends_complete_at_transfer(); }

  /// The times of the message of a send, put or get.
  MessageSpans<Span> message(RankId rank, const Operation& op) const {
    Message m;
    const bool get = op.kind == OpKind::get;
    m.source = get ? RankId{op.peer} : rank;
    m.destination = get ? rank : RankId{op.peer};
    m.channel = ChannelId{op.detail};
    m.bytes = static_cast<std::uint64_t>(op.amount);
    costs_.prepare(m);
    return {m.transfer, m.flight};
  }
  /// From the last arrival to the end. `anyone`: any member.
  Span collective(const CollectiveArgs& root, std::uint64_t most_sent, std::uint64_t most_received,
                  RankId anyone) const {
    const auto cost = costs_.collective_cost(root, most_sent, most_received, std::span(&anyone, 1), 0);
    return saturated_sum(cost.held.count(), cost.flight.count());
  }

 private:
  const CostPolicy& costs_;
  BurstLengths bursts_;
  bool overflow_ = false;
};

}  // namespace busline
