// Streams: messages from one node to another (inside a node: from rank to rank) that follow one another, as
// on a connection: Network::Sharing::streams and queues. Source: docs/model.md, sections 4.5 and 4.6.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "models/costs/costs.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/observer.hpp"
#include "sim/replay/replay_state.hpp"

namespace busline {

/// Lets every message begin at once, unless the platform specifies streams or queues. `R` is the Replay.
class Streams {
 public:
  explicit Streams(const DimemasCosts& costs)
      : costs_(costs),
        in_order_(sharing_of(costs) == Network::Sharing::streams ||
                  sharing_of(costs) == Network::Sharing::queues) {}

  bool in_order() const { return in_order_; }

  /// Whether the message may begin; else it waits for its turn.
  template <class R>
  bool may_begin(R& r, MessageId id) {
    if (!in_order_) return true;
    Stream& stream = stream_of(r.message(id));
    if (stream.busy) {
      stream.waiting.push_back(r.messages(), id);
      r.tell_queued(id, {ResourceKind::turn, from_of(r.message(id))});
    }
    return !std::exchange(stream.busy, true);
  }

  /// The message has ended: returns the one that may begin now, or kNone. Its waiting time counts as waiting
  /// for a link.
  template <class R>
  MessageId next_after(R& r, MessageId id) {
    if (!in_order_) return kNone;
    Stream& stream = stream_of(r.message(id));
    stream.busy = !stream.waiting.empty();
    if (!stream.busy) return kNone;
    const auto next = stream.waiting.pop_front(r.messages());
    const Message& m = r.message(next);
    r.tell_left_queue(next);
    r.totals(m.source).add_wait(&SenderTotals::link_wait, r.now() - m.since);
    return next;
  }

 private:
  /// Several machines share alike.
  static Network::Sharing sharing_of(const DimemasCosts& costs) {
    return costs.platform().machines.front().network.sharing;
  }
  struct Stream {
    bool busy = false;  // its first message is in progress
    MessageQueue waiting;
  };
  Stream& stream_of(const Message& m) {
    const bool inside = is_inside(m);
    const std::uint64_t to = inside ? raw(m.destination) : raw(costs_.node_of(m.destination));
    return streams_[(std::uint64_t{inside} << 63U) | (std::uint64_t{from_of(m)} << 32U) | to];
  }
  static bool is_inside(const Message& m) {
    const auto route = static_cast<Route>(m.route);
    return route == Route::memory || route == Route::self;
  }
  std::uint32_t from_of(const Message& m) const {
    return is_inside(m) ? raw(m.source) : raw(costs_.node_of(m.source));
  }

  const DimemasCosts& costs_;
  const bool in_order_;
  std::unordered_map<std::uint64_t, Stream> streams_;  // by their two ends
};

}  // namespace busline
