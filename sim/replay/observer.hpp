// Observers watch a replay without changing it. They are compile-time policies, so an unwatched replay costs
// nothing. A replay is compiled for NullObserver and for RunObserver, whose virtual functions are the events
// that can be seen.
#pragma once
#include <cstdint>

#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/replay_state.hpp"
#include "sim/results/resource_id.hpp"

namespace busline {

/// The events of a replay, in their order. `now` and other times are picoseconds; a `strand` is an index into
/// Program::strands(), or higher for a strand that runs a non-blocking collective as an algorithm. Ids of
/// messages, requests and collectives are reused once free, and a reference to a message is valid only during
/// the call.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;

  // ---- strands
  /// The strand has reached the operation at `index` of Program::operations(), which may be one past its
  /// last; the previous one is complete. Not called for operations inside an algorithm.
  virtual void reached(StrandId /*strand*/, std::uint64_t /*index*/, std::int64_t /*now*/) {}
  /// From `when` on the strand's time is charged to this activity, possibly the same as before. `when` is not
  /// before the previous call's, but may be before now: the activities of a collective's members since its
  /// begin are reported at its end. All strands begin at 0 with cpu_wait. Inside an algorithm the actual
  /// activities are reported, while RankTimes count them as the collective's.
  virtual void charged(StrandId /*strand*/, Activity /*next*/, std::int64_t /*when*/) {}
  /// The strand gets a CPU for `length`: for `op`, a burst or an operation whose overhead is due; or, with
  /// `op` null, for a context switch. Fillers, which take no time, are reported only as events.
  virtual void works(StrandId /*strand*/, const Operation* /*op*/, std::int64_t /*length*/,
                     std::int64_t /*now*/) {}
  /// A blocked strand continues. The preceding call tells what woke it: a completed request, send or
  /// collective, or the arrival of a message that it probed for.
  virtual void woken(StrandId /*strand*/, std::int64_t /*now*/) {}
  virtual void finished(StrandId /*strand*/, std::int64_t /*now*/) {}

  // ---- messages: those of the Program, those inside of algorithms, and the parts of a Reduce that is made
  // of messages (Message::reduce_part, whose request is the collective's id)
  /// A send acts: `id` is valid from here to received(). Called before the message's other events. For a get,
  /// the peer sends on behalf of the strand.
  virtual void sent(MessageId /*id*/, const Message& /*message*/, StrandId /*strand*/, std::int64_t /*now*/) {
  }
  /// A receive looks for its message.
  virtual void posted(RequestId /*request*/, StrandId /*strand*/, std::int64_t /*now*/) {}
  /// A message and its receive have been matched. A put and a get have a receive from the start; a part of a
  /// Reduce has none.
  virtual void matched(MessageId /*id*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// The message enters the network: at once, or with rendezvous after its receive is posted and the
  /// handshake is done.
  virtual void launched(MessageId /*id*/, std::int64_t /*now*/) {}
  /// The message queues. A Message::standin represents the collective in its `request`: it has a separate id,
  /// and is reported only here and in left_queue().
  virtual void queued(MessageId /*id*/, const Message& /*message*/, const ResourceId& /*place*/,
                      std::int64_t /*now*/) {}
  /// It leaves its queue, possibly for another one.
  virtual void left_queue(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// Its first byte leaves. `alone`: the length of the transfer if the message shares nothing.
  virtual void began(MessageId /*id*/, const Message& /*message*/, std::int64_t /*alone*/,
                     std::int64_t /*now*/) {}
  /// Its last byte has left; its resources are released after this.
  virtual void ended(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// The sender continues, or its request is complete. Only with rendezvous.
  virtual void send_over(MessageId /*id*/, std::int64_t /*now*/) {}
  /// It is complete at its destination.
  virtual void arrived(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// It has arrived and has its receive, which completes after this. The id becomes free. kNone: a part of a
  /// Reduce.
  virtual void received(MessageId /*id*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// A receive, a send that may be waited for, or a non-blocking collective is complete.
  virtual void completed(RequestId /*request*/, std::int64_t /*now*/) {}

  // ---- collectives that are closed forms
  /// A member has arrived. queued() or collective_began() follows the member that completes the instance. For
  /// a Reduce made of messages this is the only call: its messages report the rest.
  virtual void joined(CollectiveId /*id*/, const CollectiveInstance& /*collective*/, StrandId /*strand*/,
                      std::uint32_t /*args*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// All have arrived, and it has its buses: the members continue after held + flight.
  virtual void collective_began(CollectiveId /*id*/, const CollectiveInstance& /*collective*/,
                                std::int64_t /*held*/, std::int64_t /*flight*/, std::int64_t /*now*/) {}
  /// The members continue after this. The id is then free.
  virtual void collective_over(CollectiveId /*id*/, const CollectiveInstance& /*collective*/,
                               std::int64_t /*now*/) {}

  // ---- collectives that are algorithms
  /// The strand begins its part. `collective` numbers the collectives from 0, in arbitrary order.
  virtual void entered(StrandId /*strand*/, RankId /*rank*/, std::uint32_t /*collective*/,
                       const CollectiveArgs& /*args*/, std::int64_t /*now*/) {}
  /// It has finished its part.
  virtual void left(StrandId /*strand*/, std::int64_t /*now*/) {}

  // ---- the chain of events: what happens while one is dispatched happens because of it
  /// An event will be dispatched `delay` from now. A subject is a strand, a message or a collective, by kind.
  virtual void scheduled(EventKind /*kind*/, EventSubject /*subject*/, std::int64_t /*delay*/,
                         std::int64_t /*now*/) {}
  virtual void dispatched(EventKind /*kind*/, EventSubject /*subject*/, std::int64_t /*now*/) {}
};

/// Watches nothing, at no cost. Has the functions of RunObserver.
struct NullObserver {
  void reached(const auto&...) {}
  void charged(const auto&...) {}
  void works(const auto&...) {}
  void woken(const auto&...) {}
  void finished(const auto&...) {}
  void sent(const auto&...) {}
  void posted(const auto&...) {}
  void matched(const auto&...) {}
  void launched(const auto&...) {}
  void queued(const auto&...) {}
  void left_queue(const auto&...) {}
  void began(const auto&...) {}
  void ended(const auto&...) {}
  void send_over(const auto&...) {}
  void arrived(const auto&...) {}
  void received(const auto&...) {}
  void completed(const auto&...) {}
  void joined(const auto&...) {}
  void collective_began(const auto&...) {}
  void collective_over(const auto&...) {}
  void entered(const auto&...) {}
  void left(const auto&...) {}
  void scheduled(const auto&...) {}
  void dispatched(const auto&...) {}
};

}  // namespace busline
