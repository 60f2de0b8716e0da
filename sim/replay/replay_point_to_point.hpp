// Replay of point-to-point messages: sends, receives, probes, waits and MPI's matching. Follows
// docs/model.md, sections 3.2 to 3.5, with matching by MPI's rules: in send order per source, destination,
// communicator (section 3.4).
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

// ---- matching. A channel's receives and messages are matched in order, since all of them fit each other.
// Only ranks with open receives need to search (sim/replay/open_matching.hpp).

/// Finds the message for a receive. Returns it, or kNone after posting the receive.
template <class Model, class Observer>
MessageId Replay<Model, Observer>::post_receive(const Operation& op, RequestId request, RankId rank) {
  requests_[request].reopen();
  if (is_open(rank)) [[unlikely]]
    return open_[rank].post(request, op.detail, program_, messages_);
  return post_in(channels_[ChannelId{op.detail}], request);
}

template <class Model, class Observer>
[[gnu::always_inline]] inline MessageId Replay<Model, Observer>::post_in(ChannelState& channel,
                                                                         RequestId request) {
  if (channel.head == kNone || channel.holds_requests) {
    channel.holds_requests = true;
    if (channel.head == kNone)
      channel.head = raw(request);
    else
      requests_[RequestId{channel.tail}].next = request;
    channel.tail = raw(request);
    return kNone;
  }
  const MessageId message{channel.head};
  channel.head = raw(messages_[message].next_in_channel());
  return message;
}

/// Finds the receive for a message. Returns the request, or kNone after storing the message.
template <class Model, class Observer>
RequestId Replay<Model, Observer>::announce(MessageId message) {
  Message& m = messages_[message];
  if (is_open(m.destination)) [[unlikely]] {
    open_[m.destination].sent(message, program_, messages_);
    return kNone;
  }
  return announce_in(channels_[m.channel], message);
}

template <class Model, class Observer>
[[gnu::always_inline]] inline RequestId Replay<Model, Observer>::announce_in(ChannelState& channel,
                                                                             MessageId message) {
  if (channel.head != kNone && channel.holds_requests) {
    const RequestId request{channel.head};
    channel.head = raw(requests_[request].next);
    return request;
  }
  const bool first = channel.head == kNone;
  const auto last = std::exchange(channel.tail, raw(message));
  channel.holds_requests = false;
  messages_[message].request = kNone;
  if (first)
    channel.head = raw(message);
  else
    messages_[MessageId{last}].set_next_in_channel(message);
  return kNone;
}

template <class Model, class Observer>
void Replay<Model, Observer>::pair_up(MessageId message, RequestId request) {
  messages_[message].request = request;
  messages_[message].flags |= Message::matched;
  observer_.matched(message, request, now_);
}

// ---- operations

template <class Model, class Observer>
template <bool kPart>
void Replay<Model, Observer>::execute_send(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (!s.overhead_paid)
    if (const auto x = model_.send_overhead(s.rank, op); x > 0) return pay(strand, x);

  const auto id = messages_.take();
  Message& m = messages_[id];
  m.source = s.rank;
  m.destination = RankId{op.peer};
  m.channel = ChannelId{op.detail};
  m.bytes = static_cast<std::uint64_t>(op.amount);
  model_.prepare(m);

  const bool blocking = op.kind == OpKind::send;
  const bool waited_for = !blocking && op.request != kNoRequest;
  const RequestId request = waited_for ? layout_.of(s.rank, op.request) : kNone;
  if (waited_for) requests_[request].reopen();
  const auto find_receive = [&] {
    if constexpr (kPart)
      return announce_part(strand, id);
    else
      return announce(id);
  };

  if (!model_.is_rendezvous(m.source, op)) {
    observer_.sent(id, m, strand, now_);
    const auto receive = find_receive();
    if (receive != kNone) pair_up(id, receive);
    launch(id);
    if (waited_for) complete_request(request);
    return advance(strand, false);
  }
  m.flags = Message::rendezvous;
  m.since = now_;
  m.sender = request;
  if (blocking) {
    m.set_blocked_sender(strand);
    m.flags |= Message::blocking_sender;
  }
  observer_.sent(id, m, strand, now_);
  if (in_calls_) [[unlikely]]
    begin_handshake(id);
  const auto receive = find_receive();
  const bool at_once = receive != kNone && model_.handshake(m.source, m.destination, m.bytes) == 0 &&
                       !model_.sends_complete_at_transfer() && !in_calls_;
  if (blocking) {
    // Whether the sender must wait is known before the launch: it continues after its message has started.
    if (at_once)
      messages_[id].sender = kNone;
    else
      block(strand, Activity::wait);
  }
  if (receive != kNone) {
    pair_up(id, receive);
    launch_rendezvous(id);
  }
  if (!blocking || at_once) advance(strand, false);
  if (is_open(RankId{op.peer})) [[unlikely]]
    deliver_in_order(RankId{op.peer});
  if (!probers_.empty()) [[unlikely]]
    wake_probers(RankId{op.peer});
}

template <class Model, class Observer>
void Replay<Model, Observer>::execute_recv(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (!s.overhead_paid)
    if (const auto x = model_.receive_overhead(s.rank, op); x > 0) return pay(strand, x);
  const auto request = layout_.own(strand);
  observer_.posted(request, strand, now_);
  const auto message = post_receive(op, request, s.rank);
  if (message != kNone) {
    if (messages_[message].is(Message::arrived)) {
      observer_.matched(message, request, now_);
      hand_over(message, request);
      return advance(strand, false);
    }
    pair_up(message, request);
    if (messages_[message].is(Message::rendezvous)) launch_rendezvous(message);
  }
  requests_[request].waiter = strand;
  block(strand, Activity::wait);
}

template <class Model, class Observer>
template <bool kPart>
void Replay<Model, Observer>::execute_irecv(StrandId strand, const Operation& op) {
  const auto rank = strands_[strand].rank;
  const auto request = layout_.of(rank, op.request);
  observer_.posted(request, strand, now_);
  const auto message = kPart ? post_part(strand, request, RankId{op.peer}) : post_receive(op, request, rank);
  if (message != kNone) {
    if (messages_[message].is(Message::arrived)) {
      observer_.matched(message, request, now_);
      hand_over(message, request);
      complete_request(request);
    } else {
      pair_up(message, request);
      if (messages_[message].is(Message::rendezvous)) launch_rendezvous(message);
    }
  }
  advance(strand, false);
}

/// A wait of any kind, once its overhead is paid.
template <class Model, class Observer>
void Replay<Model, Observer>::execute_wait(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (op.kind == OpKind::wait_recv && !s.overhead_paid)
    if (const auto x = model_.receive_overhead(s.rank, op); x > 0) return pay(strand, x);
  auto& request = requests_[layout_.of(s.rank, op.request)];
  if (request.state == Request::State::complete) return advance(strand, false);
  request.waiter = strand;
  block(strand, op.kind == OpKind::collective_wait ? Activity::collective_wait : Activity::wait);
}

/// Whether a message that fits `op` could be received now: it has arrived, or waits for its receive.
template <class Model, class Observer>
bool Replay<Model, Observer>::can_receive(const Operation& op, RankId rank) const {
  if (is_open(rank)) return open_[rank].receivable(op.detail, program_, messages_) != kNone;
  const auto& channel = channels_[ChannelId{op.detail}];
  if (channel.head == kNone || channel.holds_requests) return false;
  const Message& m = messages_[MessageId{channel.head}];
  return m.is(Message::arrived) || m.is(Message::rendezvous);
}

template <class Model, class Observer>
void Replay<Model, Observer>::execute_probe(StrandId strand, const Operation& op) {
  if (can_receive(op, strands_[strand].rank)) return advance(strand, false);
  probers_.push_back(strand);
  block(strand, Activity::wait);
}

template <class Model, class Observer>
void Replay<Model, Observer>::wake_probers(RankId rank) {
  for (std::size_t i = 0; i < probers_.size();) {
    const auto strand = probers_[i];
    const auto& s = strands_[strand];
    if (s.rank == rank && can_receive(*s.at, rank)) {
      probers_.erase(probers_.begin() + static_cast<std::ptrdiff_t>(i));
      wake(strand);
    } else {
      ++i;
    }
  }
}

/// Only the caller's CPU takes part. The message has a receive from the start, the caller's own request,
/// which completes on arrival at either end.
template <class Model, class Observer>
void Replay<Model, Observer>::execute_one_sided(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (!s.overhead_paid)
    if (const auto x = model_.send_overhead(s.rank, op); x > 0) return pay(strand, x);
  const auto request = layout_.of(s.rank, op.request);
  requests_[request].reopen();
  const auto id = messages_.take();
  Message& m = messages_[id];
  const bool put = op.kind == OpKind::put;
  m.source = put ? s.rank : RankId{op.peer};
  m.destination = put ? RankId{op.peer} : s.rank;
  m.channel = ChannelId{op.detail};
  m.bytes = static_cast<std::uint64_t>(op.amount);
  model_.prepare(m);
  observer_.sent(id, m, strand, now_);
  pair_up(id, request);
  launch(id);
  advance(strand, false);
}

// ---- a message's way

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::launch(MessageId message) {
  messages_[message].flags |= Message::launched;
  messages_[message].since = now_;
  observer_.launched(message, now_);
  if (behind_data_) [[unlikely]]
    enter_stream(message);
  model_.launch(*this, message);
  if (!model_.sends_complete_at_transfer()) sender_goes_on(message);
}

template <class Model, class Observer>
void Replay<Model, Observer>::sender_goes_on(MessageId message) {
  Message& m = messages_[message];
  if (m.sender == kNone) return;
  const auto waiting = std::exchange(m.sender, kNone);
  observer_.send_over(message, now_);
  if (m.is(Message::blocking_sender)) {
    const auto strand = Message::as_strand(waiting);
    observer_.woken(strand, now_);
    return advance(strand, false);
  }
  complete_request(waiting);
}

template <class Model, class Observer>
void Replay<Model, Observer>::begin_transfer(MessageId id) {
  const Message& m = messages_[id];
  observer_.began(id, m, m.transfer, now_);
  schedule(m.transfer, transfer_over, id);
  if (m.flight > 0)
    schedule(
        m.transfer > Duration::max().count() - m.flight ? Duration::max().count() : m.transfer + m.flight,
        arrival, id);
}

template <class Model, class Observer>
void Replay<Model, Observer>::transfer_done(MessageId id) {
  if (const auto flight = messages_[id].flight; flight > 0) schedule(flight, arrival, id);
  end_transfer(id);
}

/// Releases resources first, then the message arrives: without flight time at the same instant, but only
/// after woken strands have started.
template <class Model, class Observer>
void Replay<Model, Observer>::end_transfer(MessageId message) {
  observer_.ended(message, messages_[message], now_);
  if (behind_data_) [[unlikely]]
    streams_.leave(messages_[message].source, message, now_ + messages_[message].flight);
  model_.release(*this, message);
  sweep();
  const bool arrives_now = messages_[message].flight == 0;
  sender_goes_on(message);
  if (arrives_now) deliver(message);
}

template <class Model, class Observer>
void Replay<Model, Observer>::deliver(MessageId message) {
  Message& m = messages_[message];
  observer_.arrived(message, m, now_);
  if (behind_data_) [[unlikely]]
    arrive_in_stream(message);
  if (m.is(Message::reduce_part)) return reduce_part_done(message);
  if (m.is(Message::matched)) {
    const auto request = m.request;
    hand_over(message, request);
    return complete_request(request);
  }
  m.flags |= Message::arrived;
  const auto rank = m.destination;
  if (is_open(rank)) [[unlikely]] {
    open_[rank].arrived(message, program_, messages_);
    deliver_in_order(rank);
  }
  if (!probers_.empty()) [[unlikely]]
    wake_probers(rank);
}

/// The message has arrived and has its receive.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::hand_over(MessageId message, RequestId request) {
  observer_.received(message, request, now_);
  messages_.give_back(message);
}

/// Matches the messages that the rank can receive now; one message can have held up later ones of its source.
template <class Model, class Observer>
void Replay<Model, Observer>::deliver_in_order(RankId rank) {
  auto& open = open_[rank];
  for (;;) {
    const auto message = open.next_in_order(messages_);
    if (message == kNone) return;
    const auto request = open.match(message, program_, messages_);
    if (request == kNone) continue;
    if (messages_[message].is(Message::arrived)) {
      observer_.matched(message, request, now_);
      hand_over(message, request);
      complete_request(request);
    } else {
      pair_up(message, request);
      launch_rendezvous(message);
    }
  }
}

template <class Model, class Observer>
void Replay<Model, Observer>::complete_request(RequestId request) {
  auto& r = requests_[request];
  r.state = Request::State::complete;
  observer_.completed(request, now_);
  const auto waiter = r.waiter;
  if (waiter == kNone) return;
  r.waiter = kNone;
  wake(waiter);
}

/// A blocked strand continues: after others on its node, but at once if a CPU is free.
template <class Model, class Observer>
void Replay<Model, Observer>::wake(StrandId strand) {
  observer_.woken(strand, now_);
  advance(strand, true);
  if (strands_[strand].finished) return;
  auto& node = nodes_[strands_[strand].node];
  if (node.busy < node.cpus && node.ready_head != kNone) run_first_ready(node);  // none: it is held back
}

}  // namespace busline
