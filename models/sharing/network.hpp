// The Dimemas machine with links, buses and memory that messages share instead of queueing for them: each
// message has its max-min fair rate (models/sharing/max_min.hpp), with its class's bandwidth as a cap. L
// links of a node carry L messages at full speed, B buses B, memory likewise. Rates change when a message
// starts or ends; a message alone takes what it takes with `exclusive` sharing. With `streams` messages from
// one node to another (inside a node: from rank to rank) follow one another. Source: docs/model.md,
// "Sharing".
//
// With `queues` streams are sent at full speed, and links and buses are queues that packets of all streams
// enter as they come: a message is through when the longest queue on its way has taken what came before its
// end. Nothing is slowed by what comes later.
//
// A collective that is a closed form costs its time and shares nothing; one that is an algorithm is messages.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/costs/uncontended_network.hpp"
#include "models/sharing/max_min.hpp"
#include "models/sharing/shared_resources.hpp"
#include "models/sharing/streams.hpp"
#include "sim/results/result.hpp"

namespace busline {

class FairNetwork : public UncontendedNetwork {
 public:
  FairNetwork(const DimemasCosts& costs, const Program& program);

  template <class R>
  void launch(R& r, std::uint32_t id);
  template <class R>
  void release(R& r, std::uint32_t id);
  /// What it asked the replay to call it for: kSettle, or a message that may be through.
  template <class R>
  void on_event(R& r, std::uint32_t subject);

  /// What every limited resource did, in a fixed order. Waiting is what its messages took longer because of
  /// it.
  std::vector<ResourceResult> resources() const;
  /// Bytes of the model's own state.
  std::size_t state_bytes() const;

 private:
  static constexpr std::uint32_t kSettle = kNone;

  /// A message on its way. Times are ps; `left` is counted at full speed.
  struct Transfer {
    double left = 0, rate = 0;
    std::int64_t since = 0;      // when `left` was true
    std::int64_t end = 0;        // at this rate
    std::int64_t announced = 0;  // when on_event looks at it next
    std::uint32_t bottleneck = MaxMinRates::kNobody;
    bool under_way = false;
    bool sent = false;  // into the queues
  };
  /// What a resource has not taken yet. Counted, as messages are, in ps at full speed.
  struct Queue {
    double waiting = 0;
    std::int64_t since = 0;     // when `waiting` was true
    std::uint32_t streams = 0;  // that are being sent into it
    std::uint32_t peak = 0;
  };

  template <class R>
  void begin(R& r, std::uint32_t id, const std::vector<std::uint32_t>& way);
  template <class R>
  void ask_to_settle(R& r);
  template <class R>
  void follow(R& r, std::uint32_t id);
  Queue& queue_now(std::uint32_t resource, std::int64_t now);
  template <class R>
  void begin_sending(R& r, std::uint32_t id, const std::vector<std::uint32_t>& way);
  template <class R>
  void end_sending(R& r, std::uint32_t id);
  template <class R>
  void account(R& r, std::uint32_t id);
  template <class R>
  void announce(R& r, std::uint32_t id);

  MaxMinRates rates_;
  SharedResources resources_;  // by the solver's numbers
  Streams streams_;
  std::vector<Transfer> transfers_;  // by message
  const bool queues_;
  std::vector<Queue> queue_of_;  // by resource
  bool settling_ = false;        // asked for in this instant
};

template <class R>
void FairNetwork::launch(R& r, std::uint32_t id) {
  const auto& way = resources_.way_of(r.message(id));
  if (way.empty()) return r.begin_transfer(id);
  if (streams_.may_begin(r, id)) begin(r, id, way);
}

/// `way` is the message's own.
template <class R>
void FairNetwork::begin(R& r, std::uint32_t id, const std::vector<std::uint32_t>& way) {
  const auto transfer = r.message(id).transfer;
  if (transfer == 0) return r.begin_transfer(id);
  if (id >= transfers_.size()) transfers_.resize(id + 1);
  resources_.count(way, transfer);
  r.tell_began(id, transfer);
  if (queues_) return begin_sending(r, id, way);
  transfers_[id] = {static_cast<double>(transfer), 0, r.now(), 0, 0, MaxMinRates::kNobody, true};
  rates_.start(id, way);
  ask_to_settle(r);
}

/// Rates are known when all that happens in this instant has happened.
template <class R>
void FairNetwork::ask_to_settle(R& r) {
  if (!settling_) r.call_model(0, kSettle);
  settling_ = true;
}

template <class R>
void FairNetwork::begin_sending(R& r, std::uint32_t id, const std::vector<std::uint32_t>& way) {
  const auto transfer = r.message(id).transfer;
  for (const auto resource : way) {
    auto& q = queue_now(resource, r.now());
    q.peak = std::max(q.peak, ++q.streams);
  }
  Transfer& t = transfers_[id];
  t = {};
  t.under_way = true;
  t.end = t.announced = r.now() + transfer;
  r.call_model(transfer, id);
}

/// All of it is in the queues, and the stream goes on with the next message. It is through when the longest
/// queue has taken its end.
template <class R>
void FairNetwork::end_sending(R& r, std::uint32_t id) {
  const Message& m = r.message(id);
  std::int64_t wait = 0;
  std::uint32_t longest = kNone;
  for (const auto resource : resources_.way_of(m)) {
    auto& q = queue_now(resource, r.now());
    --q.streams;
    const auto takes = static_cast<std::int64_t>(std::llround(q.waiting / resources_[resource].capacity));
    if (takes <= wait) continue;
    wait = takes;
    longest = resource;
  }
  transfers_[id].sent = true;
  transfers_[id].end = transfers_[id].announced = r.now() + wait;
  if (longest != kNone) {
    auto& resource = resources_[longest];
    resource.use.add_wait(wait);
    r.totals(m.source).add_wait(resource.is_bus ? &SenderTotals::bus_wait : &SenderTotals::link_wait, wait);
    r.call_model(wait, id);
  }
  follow(r, id);
  if (longest == kNone) r.transfer_done(id);
}

template <class R>
void FairNetwork::release(R& r, std::uint32_t id) {
  if (queues_ && id < transfers_.size() && transfers_[id].sent) {
    transfers_[id] = {};
    return;
  }
  if (id < transfers_.size() && transfers_[id].under_way) {
    account(r, id);
    transfers_[id].under_way = false;
    rates_.end(id);
    ask_to_settle(r);
  }
  if (streams_.in_order() && !resources_.way_of(r.message(id)).empty()) follow(r, id);
}

/// The next message of its stream begins.
template <class R>
void FairNetwork::follow(R& r, std::uint32_t id) {
  if (const auto next = streams_.next_after(r, id); next != kNone)
    begin(r, next, resources_.way_of(r.message(next)));
}

/// What has passed since the rate last changed. The time that was lost is the bottleneck's.
template <class R>
void FairNetwork::account(R& r, std::uint32_t id) {
  Transfer& t = transfers_[id];
  const auto passed = r.now() - t.since;
  const double done = static_cast<double>(passed) * t.rate;
  t.left = std::max(0., t.left - done);
  t.since = r.now();
  if (t.bottleneck == MaxMinRates::kNobody) return;
  const auto lost = passed - static_cast<std::int64_t>(std::llround(done));
  auto& resource = resources_[t.bottleneck];
  resource.use.add_wait(lost);
  r.totals(r.message(id).source)
      .add_wait(resource.is_bus ? &SenderTotals::bus_wait : &SenderTotals::link_wait, lost);
}

/// A message that became slower is looked at when it would have ended: it has not, and is announced again.
template <class R>
void FairNetwork::announce(R& r, std::uint32_t id) {
  Transfer& t = transfers_[id];
  if (t.announced > r.now() && t.announced <= t.end) return;
  t.announced = t.end;
  r.call_model(t.end - r.now(), id);
}

template <class R>
void FairNetwork::on_event(R& r, std::uint32_t subject) {
  if (subject == kSettle) {
    settling_ = false;
    rates_.settle([&](std::uint32_t id, double rate) {
      Transfer& t = transfers_[id];
      account(r, id);
      t.rate = rate;
      t.bottleneck = rates_.bottleneck(id);
      const double takes = t.left / rate;
      t.end = takes < static_cast<double>(Duration::max().count() - 1 - r.now())
                  ? r.now() + static_cast<std::int64_t>(std::llround(takes))
                  : Duration::max().count();
      announce(r, id);
    });
    return;
  }
  // The number may be another message's by now, or its end may have moved.
  const Transfer& t = transfers_[subject];
  if (!t.under_way || t.announced != r.now()) return;
  if (t.end > r.now()) return announce(r, subject);
  if (queues_ && !t.sent) return end_sending(r, subject);
  r.transfer_done(subject);
}

}  // namespace busline
