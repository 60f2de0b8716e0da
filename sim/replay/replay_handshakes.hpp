// Replay of handshakes: what passes between a rendezvous message and its receive being known and the
// transfer. It is one delay, or, with progress in calls, a request of the sender and then an answer of the
// receiver, each of which is read when the other rank waits in a call (docs/model.md, section 3.3).
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

/// The message has its receive.
template <class Model, class Observer>
void Replay<Model, Observer>::launch_rendezvous(MessageId message) {
  Message& m = messages_[message];
  m.flags = static_cast<std::uint8_t>(m.flags & ~Message::rendezvous);  // no longer waiting
  if (in_calls_) [[unlikely]] {
    if (!m.is(Message::requested)) answer(message);
    return;
  }
  if (const auto handshake = model_.handshake(m.source, m.destination, m.bytes); handshake > 0)
    return schedule(handshake, handshake_over, message);
  launch(message);
}

// ---- progress in calls

/// The sender's request sets out.
template <class Model, class Observer>
void Replay<Model, Observer>::begin_handshake(MessageId message) {
  Message& m = messages_[message];
  m.flags |= Message::requested;
  const auto half = model_.handshake(m.source, m.destination, m.bytes) / 2;
  send_in_order(m.source, m.destination, message, half);
}

/// The receiver's answer sets out: it has read the request, and its receive is posted.
template <class Model, class Observer>
void Replay<Model, Observer>::answer(MessageId message) {
  const Message& m = messages_[message];
  const auto handshake = model_.handshake(m.source, m.destination, m.bytes);
  send_in_order(m.destination, m.source, message, handshake - handshake / 2);
}

/// A step of a handshake, which takes `trip` by itself.
template <class Model, class Observer>
void Replay<Model, Observer>::send_in_order(RankId from, RankId to, MessageId message, std::int64_t trip) {
  if (!streams_.follow(from, to, message, saturated_sum(now_, trip))) schedule_step(message, trip);
}

template <class Model, class Observer>
void Replay<Model, Observer>::schedule_step(MessageId message, std::int64_t delay) {
  schedule(delay, messages_[message].is(Message::requested) ? request_arrival : answer_arrival, message);
}

/// A request or an answer has come to `rank`.
template <class Model, class Observer>
void Replay<Model, Observer>::step_of_handshake(MessageId message) {
  const Message& m = messages_[message];
  const auto rank = m.is(Message::requested) ? m.destination : m.source;
  if (!reads(rank)) return unread_[rank].push_back(message);
  if (m.is(Message::requested)) return read_request(message);
  launch(message);
}

template <class Model, class Observer>
void Replay<Model, Observer>::read_request(MessageId message) {
  Message& m = messages_[message];
  m.flags = static_cast<std::uint8_t>(m.flags & ~Message::requested);
  if (!m.is(Message::rendezvous)) answer(message);
}

/// Whether the rank waits in a call, which reads what has come. One that has ended does.
template <class Model, class Observer>
bool Replay<Model, Observer>::reads(RankId rank) const {
  return std::any_of(strands_of_[rank].begin(), strands_of_[rank].end(),
                     [&](StrandId id) {
                       const auto a = strands_[id].activity;
                       return a == Activity::wait || a == Activity::collective_wait ||
                              a == Activity::collective;
                     }) ||
         std::all_of(strands_of_[rank].begin(), strands_of_[rank].end(),
                     [&](StrandId id) { return strands_[id].finished; });
}

/// A strand of the rank begins to wait, or ends. What has come is read in order; transfers begin after the
/// present event.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::read_what_has_come(RankId rank) {
  if ((unread_[rank].empty() && held_back_[rank].empty()) || !reads(rank)) return;
  for (const auto strand : std::exchange(held_back_[rank], {})) {
    observer_.woken(strand, now_);
    go_on_after_round(strand, true);
  }
  for (const auto message : std::exchange(unread_[rank], {}))
    if (messages_[message].is(Message::requested))
      read_request(message);
    else
      schedule(0, handshake_over, message);
}

/// Whether the strand runs a non-blocking algorithm whose rank is in no call, so that nobody sees that its
/// round is over.
template <class Model, class Observer>
bool Replay<Model, Observer>::is_held_back(StrandId strand) const {
  return in_calls_ && cursors_[strand].request != kNone && !reads(strands_[strand].rank);
}

/// Its next round, or the end of the collective, waits for a call of the rank.
template <class Model, class Observer>
void Replay<Model, Observer>::hold_back(StrandId strand) {
  charge(strand, now_, Activity::wait);
  held_back_[strands_[strand].rank].push_back(strand);
}

/// Data between two nodes sets out: handshakes with the same peer follow it.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::enter_stream(MessageId message) {
  const Message& m = messages_[message];
  if (machine_.rank_node[m.source] != machine_.rank_node[m.destination])
    streams_.enter(m.source, m.destination, message);
}

/// Data arrives. What was queued behind it is read with it, and what set out after it a moment later.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::arrive_in_stream(MessageId message) {
  for (const auto& follower : streams_.arrive(messages_[message].source, message))
    if (follower.queued)
      step_of_handshake(follower.message);
    else
      schedule_step(follower.message, 0);
}

}  // namespace busline
