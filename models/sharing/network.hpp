// The Dimemas machine with links, buses and memory that messages share instead of queueing for them: each
// message has its max-min fair rate (models/sharing/max_min.hpp), with its class's bandwidth as a cap. L
// links of a node carry L messages at full speed, B buses carry B, memory likewise. Rates change when a
// message starts or ends; a single message takes as long as with `exclusive` sharing. With `streams` messages
// from one node to another (inside a node: from rank to rank) follow one another. Source: docs/model.md,
// sections 4.4 to 4.6.
//
// With `queues` streams are sent at full speed, and links and buses are queues that packets of all streams
// enter on arrival: a message ends when the longest queue on its route has processed its last packet. Later
// packets slow nothing. Packets are as small as can be, unless the network has a size for them.
//
// A closed-form collective costs its time and shares nothing; one run as an algorithm consists of messages.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/costs/uncontended_network.hpp"
#include "models/sharing/lost_time.hpp"
#include "models/sharing/shared_progress.hpp"
#include "models/sharing/shared_resources.hpp"
#include "models/sharing/streams.hpp"
#include "sim/results/result.hpp"

namespace busline {

class FairNetwork : public UncontendedNetwork {
 public:
  FairNetwork(const DimemasCosts& costs, const Program& program);

  template <class R>
  void launch(R& r, MessageId id);
  template <class R>
  void release(R& r, MessageId id);
  /// The reason for the replay's call: kSettle, or a message that may have ended.
  template <class R>
  void on_event(R& r, MessageId id);

  /// The use of every limited resource, in a fixed order. Waiting is the delay of messages that it caused.
  std::vector<ResourceResult> resources() const;

 private:
  static constexpr MessageId kSettle = kNone;

  /// How a message enters queues: a packet at once, those in the middle steadily, and the last one at once.
  struct Packets {
    double middle = 1;  // of full speed
    std::int64_t first = 0, last = 0;
  };
  /// With `queues`: a message that is being sent into them, and then waits until they have taken it.
  struct Sending {
    enum class Stage : std::uint8_t { none, before_last_packet, last_packet, sent };
    Stage stage = Stage::none;
    std::uint32_t longest = kNone;  // queue
    std::int64_t until = 0, wait = 0;
    Packets packets;
  };
  /// The work that a resource has not yet processed. Counted, as messages are, in ps at full speed.
  struct Queue {
    double waiting = 0, comes = 0;  // what waits; what comes per unit of time
    std::int64_t since = 0;         // when `waiting` was true
    std::uint32_t streams = 0;      // that are being sent into it
    std::uint32_t peak = 0;
  };

  template <class R>
  void begin(R& r, MessageId id, const std::vector<std::uint32_t>& way);
  template <class R>
  void ask_to_settle(R& r);
  template <class R>
  void follow(R& r, MessageId id);
  Queue& queue_now(std::uint32_t resource, std::int64_t now);
  template <class R>
  void begin_sending(R& r, MessageId id, const std::vector<std::uint32_t>& way);
  template <class R>
  void send_last_packet(R& r, MessageId id);
  template <class R>
  void end_sending(R& r, MessageId id);
  Packets packets_of(const Message& m) const;
  template <class R>
  void charge(R& r, MessageId id, std::uint32_t resource, std::int64_t lost);
  template <class R>
  static auto announce(R& r) {
    return [&r](std::uint32_t id, std::int64_t end) { r.call_model(end - r.now(), MessageId{id}); };
  }

  SharedProgress progress_;  // of messages; ps at full speed, over resources_ by their numbers
  LostTime lost_;
  SharedResources resources_;
  Streams streams_;
  const bool queues_;
  IdVector<MessageId, Sending> sending_;
  std::vector<Queue> queue_of_;  // by resource
  bool settling_ = false;        // asked for in this instant
};

template <class R>
void FairNetwork::launch(R& r, MessageId id) {
  const auto& way = resources_.way_of(r.message(id));
  if (way.empty()) return r.begin_transfer(id);
  if (streams_.may_begin(r, id)) begin(r, id, way);
}

/// `way` belongs to the message.
template <class R>
void FairNetwork::begin(R& r, MessageId id, const std::vector<std::uint32_t>& way) {
  const auto transfer = r.message(id).transfer;
  if (transfer == 0) return r.begin_transfer(id);
  resources_.count(way, transfer);
  r.tell_began(id, transfer);
  if (queues_) return begin_sending(r, id, way);
  const auto flow = progress_.start(raw(id), way, static_cast<double>(transfer), 1, r.now());
  lost_.begin(raw(id), flow, way, progress_.passed(flow, r.now()));
  ask_to_settle(r);
}

/// Rates are known after all events of this instant.
template <class R>
void FairNetwork::ask_to_settle(R& r) {
  if (!settling_) r.call_model(0, kSettle);
  settling_ = true;
}

template <class R>
void FairNetwork::begin_sending(R& r, MessageId id, const std::vector<std::uint32_t>& way) {
  const auto transfer = r.message(id).transfer;
  const auto packets = packets_of(r.message(id));
  for (const auto resource : way) {
    auto& q = queue_now(resource, r.now());
    q.waiting += static_cast<double>(packets.first);
    q.comes += packets.middle;
    q.peak = std::max(q.peak, ++q.streams);
  }
  sending_.reach(id);
  sending_[id] = {.stage = Sending::Stage::before_last_packet,
                  .until = r.now() + transfer - packets.last,
                  .packets = packets};
  if (packets.last == transfer) return send_last_packet(r, id);
  r.call_model(transfer - packets.last, id);
}

/// The message ends when the longest queue has processed it, after all that has come before.
template <class R>
void FairNetwork::send_last_packet(R& r, MessageId id) {
  Sending& s = sending_[id];
  for (const auto resource : resources_.way_of(r.message(id))) {
    auto& q = queue_now(resource, r.now());
    q.comes -= s.packets.middle;
    const auto takes = static_cast<std::int64_t>(std::llround(q.waiting / resources_[resource].capacity));
    q.waiting += static_cast<double>(s.packets.last);
    if (takes <= s.wait) continue;
    s.wait = takes;
    s.longest = resource;
  }
  s.stage = Sending::Stage::last_packet;
  s.until = r.now() + s.packets.last;
  if (s.packets.last == 0) return end_sending(r, id);
  r.call_model(s.packets.last, id);
}

/// All of it is in the queues, and the stream continues with the next message.
template <class R>
void FairNetwork::end_sending(R& r, MessageId id) {
  for (const auto resource : resources_.way_of(r.message(id))) --queue_now(resource, r.now()).streams;
  Sending& s = sending_[id];
  s.stage = Sending::Stage::sent;
  s.until = r.now() + s.wait;
  const bool waits = s.longest != kNone;
  if (waits) {
    charge(r, id, s.longest, s.wait);
    r.call_model(s.wait, id);
  }
  follow(r, id);  // may move `s`
  if (!waits) r.transfer_done(id);
}

template <class R>
void FairNetwork::release(R& r, MessageId id) {
  if (sending_.has(id) && sending_[id].stage == Sending::Stage::sent) {
    sending_[id] = {};
    return;
  }
  if (progress_.is_under_way(raw(id))) {
    const auto flow = progress_.flow_of(raw(id));
    lost_.end(raw(id), flow, progress_.passed(flow, r.now()),
              [&](std::uint32_t resource, std::int64_t lost) { charge(r, id, resource, lost); });
    progress_.end(raw(id));
    ask_to_settle(r);
  }
  if (streams_.in_order() && !resources_.way_of(r.message(id)).empty()) follow(r, id);
}

/// Starts the next message of its stream.
template <class R>
void FairNetwork::follow(R& r, MessageId id) {
  if (const auto next = streams_.next_after(r, id); next != kNone)
    begin(r, next, resources_.way_of(r.message(next)));
}

/// Charges a message's delay to the resource.
template <class R>
void FairNetwork::charge(R& r, MessageId id, std::uint32_t resource, std::int64_t lost) {
  auto& by = resources_[resource];
  by.use.add_wait(lost);
  r.totals(r.message(id).source)
      .add_wait(by.is_bus() ? &SenderTotals::bus_wait : &SenderTotals::link_wait, lost);
}

template <class R>
void FairNetwork::on_event(R& r, MessageId id) {
  if (id == kSettle) {
    settling_ = false;
    progress_.settle(
        r.now(), [&](std::uint32_t flow, const SharedProgress::Passed& passed) { lost_.add(flow, passed); },
        announce(r));
    return;
  }
  if (!queues_)
    return progress_.end_due(
        raw(id), r.now(), [&r](std::uint32_t over) { r.transfer_done(MessageId{over}); }, announce(r));
  // The number may have been reused.
  const Sending& s = sending_[id];
  if (s.until != r.now()) return;
  switch (s.stage) {
    case Sending::Stage::none:
      return;
    case Sending::Stage::before_last_packet:
      return send_last_packet(r, id);
    case Sending::Stage::last_packet:
      return end_sending(r, id);
    case Sending::Stage::sent:
      return r.transfer_done(id);
  }
}

}  // namespace busline
