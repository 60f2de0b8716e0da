// Replay of handshakes: what passes between a rendezvous message and its receive being known and the
// transfer. It is one delay, or, with progress in calls, a request of the sender and then an answer of the
// receiver, each of which waits for a call of the other rank (docs/model.md, section 3.3).
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

template <class Model, class Observer>
void Replay<Model, Observer>::launch_rendezvous(MessageId message) {
  Message& m = messages_[message];
  m.flags = static_cast<std::uint8_t>(m.flags & ~Message::rendezvous);  // no longer waiting
  const auto handshake = model_.handshake(m.bytes);
  if (in_calls_) [[unlikely]] {
    // The request left with the send, whose time `since` still is.
    m.flags |= Message::requested;
    const auto rest = m.since + handshake / 2 - now_;
    return rest > 0 ? schedule(rest, handshake_over, message) : end_handshake(message);
  }
  if (handshake > 0) return schedule(handshake, handshake_over, message);
  launch(message);
}

/// The handshake, or its present step, is over.
template <class Model, class Observer>
void Replay<Model, Observer>::end_handshake(MessageId message) {
  if (!in_calls_) [[likely]]
    return launch(message);
  const Message& m = messages_[message];
  const auto who = m.is(Message::requested) ? m.destination : m.source;
  if (computes(who)) return held_up_[who].push_back(message);
  go_on_with_handshake(message);
}

/// The rank that the handshake has reached is in a call.
template <class Model, class Observer>
void Replay<Model, Observer>::go_on_with_handshake(MessageId message) {
  Message& m = messages_[message];
  if (!m.is(Message::requested)) return launch(message);
  m.flags = static_cast<std::uint8_t>(m.flags & ~Message::requested);
  const auto handshake = model_.handshake(m.bytes);
  schedule(handshake - handshake / 2, handshake_over, message);
}

/// Whether no strand of the rank is in a call: each is in a burst, or over.
template <class Model, class Observer>
bool Replay<Model, Observer>::computes(RankId rank) const {
  bool any = false;
  for (const auto id : strands_of_[rank]) {
    const auto& s = strands_[id];
    if (s.finished) continue;
    if (s.at->kind != OpKind::compute) return false;
    any = true;
  }
  return any;
}

/// A burst of the rank is over, and a call or the end follows.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::go_on_in_call(RankId rank) {
  for (const auto message : std::exchange(held_up_[rank], {})) go_on_with_handshake(message);
}

}  // namespace busline
