// Observers watch a replay without changing it. They are compile-time policies: what is not watched costs
// nothing. A replay is compiled for NullObserver and for RunObserver, whose virtual functions are what can be
// seen.
#pragma once
#include <cstdint>

#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/replay_state.hpp"
#include "sim/results/resource_id.hpp"

namespace busline {

/// What happens in a replay, in the order in which it happens. `now` and other times are picoseconds; a
/// `strand` is an index into Program::strands(), or beyond for one that carries out a non-blocking collective
/// as an algorithm. Ids of messages, requests and collectives are used again once they are free, and a
/// message's reference is good during the call only.
class RunObserver {
 public:
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;

  // ---- strands
  /// The strand has come to the operation at `index` of Program::operations(), which may be one past its
  /// last; the one before it is over. Not told of operations inside of an algorithm.
  virtual void reached(StrandId /*strand*/, std::uint64_t /*index*/, std::int64_t /*now*/) {}
  /// From `when` on the strand's clock is charged to this, which may be what it was charged to before. `when`
  /// is not before the last such time, but may lie before now: what a collective's members do from its begin
  /// on is told at its end. All begin at 0 with cpu_wait. Inside of an algorithm the times are told as they
  /// are, while RankTimes count them as the collective's.
  virtual void charged(StrandId /*strand*/, Activity /*next*/, std::int64_t /*when*/) {}
  /// The strand has a CPU for `length`: for `op`, which is a burst or waits for its overhead to be paid; or,
  /// with `op` null, for a context switch. Fillers, which take no time, are told as events only.
  virtual void works(StrandId /*strand*/, const Operation* /*op*/, std::int64_t /*length*/,
                     std::int64_t /*now*/) {}
  /// A blocked strand goes on. What woke it is what was told last before: a request is complete, a send is
  /// over, a collective is over, or a message that it probed for is there.
  virtual void woken(StrandId /*strand*/, std::int64_t /*now*/) {}
  virtual void finished(StrandId /*strand*/, std::int64_t /*now*/) {}

  // ---- messages: those of the Program, those inside of algorithms, and the parts of a Reduce that is made
  // of messages (Message::reduce_part, whose request is the collective's id)
  /// A send acts: `id` lives from here to received(). Told before what becomes of it. A get is sent by the
  /// peer at the strand's wish.
  virtual void sent(MessageId /*id*/, const Message& /*message*/, StrandId /*strand*/, std::int64_t /*now*/) {
  }
  /// A receive looks for its message.
  virtual void posted(RequestId /*request*/, StrandId /*strand*/, std::int64_t /*now*/) {}
  /// A message and its receive have found one another. A put and a get have theirs from the start; a part of
  /// a Reduce has none.
  virtual void matched(MessageId /*id*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// The message is the network's: at once, or with rendezvous when its receive is there and hands are
  /// shaken.
  virtual void launched(MessageId /*id*/, std::int64_t /*now*/) {}
  /// It queues. A Message::standin stands there for the collective that is its request: it has an id of its
  /// own, and is told here and in left_queue() only.
  virtual void queued(MessageId /*id*/, const Message& /*message*/, const ResourceId& /*place*/,
                      std::int64_t /*now*/) {}
  /// It leaves the queue that it is in, perhaps for another one.
  virtual void left_queue(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// Its first byte leaves. `alone`: how long the transfer takes if the message shares nothing.
  virtual void began(MessageId /*id*/, const Message& /*message*/, std::int64_t /*alone*/,
                     std::int64_t /*now*/) {}
  /// Its last byte has left; what it holds is given back after this.
  virtual void ended(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// Who sent it goes on, or what it waits for is complete. Only with rendezvous.
  virtual void send_over(MessageId /*id*/, std::int64_t /*now*/) {}
  /// It is complete at its destination.
  virtual void arrived(MessageId /*id*/, const Message& /*message*/, std::int64_t /*now*/) {}
  /// It has arrived and has its receive, which is complete after this. The id is free. kNone: a part of a
  /// Reduce.
  virtual void received(MessageId /*id*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// A receive, a send that may be waited for, or a non-blocking collective is complete.
  virtual void completed(RequestId /*request*/, std::int64_t /*now*/) {}

  // ---- collectives that are closed forms
  /// A member has come. The one that completes the instance is followed by queued() or collective_began().
  /// Of a Reduce made of messages there is no more than this: the messages tell the rest.
  virtual void joined(CollectiveId /*id*/, const CollectiveInstance& /*collective*/, StrandId /*strand*/,
                      std::uint32_t /*args*/, RequestId /*request*/, std::int64_t /*now*/) {}
  /// All have come, and it has its buses: the members go on after held + flight.
  virtual void collective_began(CollectiveId /*id*/, const CollectiveInstance& /*collective*/,
                                std::int64_t /*held*/, std::int64_t /*flight*/, std::int64_t /*now*/) {}
  /// The members go on after this. The id is free when they do.
  virtual void collective_over(CollectiveId /*id*/, const CollectiveInstance& /*collective*/,
                               std::int64_t /*now*/) {}

  // ---- collectives that are algorithms
  /// The strand begins its part. `collective` numbers them, from 0, in no order that means anything.
  virtual void entered(StrandId /*strand*/, RankId /*rank*/, std::uint32_t /*collective*/,
                       const CollectiveArgs& /*args*/, std::int64_t /*now*/) {}
  /// It has done its part.
  virtual void left(StrandId /*strand*/, std::int64_t /*now*/) {}

  // ---- the chain of events: what happens while one is dispatched happens because of it
  /// An event will be dispatched `delay` from now. A subject is a strand, a message or a collective, by kind.
  virtual void scheduled(EventKind /*kind*/, EventSubject /*subject*/, std::int64_t /*delay*/,
                         std::int64_t /*now*/) {}
  virtual void dispatched(EventKind /*kind*/, EventSubject /*subject*/, std::int64_t /*now*/) {}
};

/// Watches nothing, at no cost: the functions of RunObserver.
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
