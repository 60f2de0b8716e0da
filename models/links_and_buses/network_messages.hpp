// Messages on a DimemasNetwork: links, bus and transfer.
#pragma once
#include "models/links_and_buses/network.hpp"

namespace busline {

inline DimemasNetwork::Pools DimemasNetwork::pools_of(const Message& m) {
  switch (static_cast<Route>(m.route)) {
    case Route::self:
      return {};
    case Route::memory:
      return ports_.empty() ? Pools{} : Pools{&ports_[m.source], &ports_[m.destination]};
    case Route::network:
      return {&node_links_[costs_.node_of(m.source)], &node_links_[costs_.node_of(m.destination)]};
    case Route::wan:
      return {&wan_links_[costs_.machine_of(m.source)], &wan_links_[costs_.machine_of(m.destination)]};
    case Route::dedicated:
      break;
  }
  return {&dedicated_links_[m.connection], &dedicated_links_[m.connection]};
}

inline BusPool* DimemasNetwork::bus_of(const Message& m) {
  switch (static_cast<Route>(m.route)) {
    case Route::self:
    case Route::memory:
      return memory_buses_.empty() ? nullptr : &memory_buses_[costs_.node_of(m.source)];
    case Route::network:
      return &buses_[costs_.machine_of(m.source)];
    case Route::wan:
    case Route::dedicated:
      break;
  }
  return nullptr;
}

/// The output or the input link that the message waits for, according to Message::held.
inline ResourceId DimemasNetwork::link_queue_of(const Message& m) const {
  const bool in = (m.held & waits_for_in) != 0;
  const auto rank = in ? m.destination : m.source;
  switch (static_cast<Route>(m.route)) {
    case Route::self:
    case Route::memory:
      return {in ? ResourceKind::port_in : ResourceKind::port_out, raw(rank)};
    case Route::network:
      return {in ? ResourceKind::link_in : ResourceKind::link_out, raw(costs_.node_of(rank))};
    case Route::wan:
      return {in ? ResourceKind::wan_in : ResourceKind::wan_out, costs_.machine_of(rank)};
    case Route::dedicated:
      break;
  }
  return {in ? ResourceKind::connection_in : ResourceKind::connection_out, m.connection};
}

inline ResourceId DimemasNetwork::bus_queue_of(const Message& m) const {
  if (static_cast<Route>(m.route) == Route::network) return {ResourceKind::bus, costs_.machine_of(m.source)};
  return {ResourceKind::memory_bus, raw(costs_.node_of(m.source))};
}

/// The wait that ends now is charged to the resource and to the message's sender.
template <class R>
void DimemasNetwork::leave_queue(R& r, MessageId id, ResourceUse& use, std::int64_t SenderTotals::*total) {
  Message& m = r.message(id);
  const auto waited = r.now() - m.since;
  m.since = r.now();
  r.tell_left_queue(id);
  use.add_wait(waited);
  if (!m.is(Message::standin)) r.totals(m.source).add_wait(total, waited);
}

template <class R>
void DimemasNetwork::relaunch_first(R& r, MessageQueue& queue, ResourceUse& use) {
  if (queue.empty()) return;
  const auto id = queue.pop_front(r.messages());
  clear(r.message(id), waits_for_in);
  leave_queue(r, id, use, &SenderTotals::link_wait);
  if (r.message(id).is(Message::standin)) [[unlikely]]
    resume(r, id);
  else
    launch(r, id);
}

/// `victim` loses its output link of `pool`, stops waiting for its input link, and is at the head of the
/// queue again.
template <class R>
void DimemasNetwork::rob(R& r, MessageId victim, LinkPool& pool) {
  Message& m = r.message(victim);
  auto& waits_at = *pools_of(m).in;
  waits_at.in_queue.remove(r.messages(), victim);
  leave_queue(r, victim, waits_at.in_use, &SenderTotals::link_wait);
  clear(m, holds_out | waits_for_in);
  pool.out_queue.push_front(r.messages(), victim);
  if constexpr (R::kObserved) r.tell_queued(victim, link_queue_of(m));
}

/// Network links: as for others, but a message may take a link that its owner cannot use yet, if it can then
/// start.
template <class R>
bool DimemasNetwork::take_network_links(R& r, MessageId id, LinkPool& out, LinkPool& in) {
  auto& messages = r.messages();
  Message& m = messages[id];
  MessageId victim = kNone;
  if (out.limited && (m.held & holds_out) == 0) {
    if (out.free_out > 0) {
      take_out(messages, out, id);
    } else {
      victim = stealable(messages, out);
      if (victim == kNone) {
        out.out_queue.push_back(messages, id);
        return false;
      }
    }
  }
  const auto steal_out = [&] {
    if (victim == kNone) return;
    out.replace_owner(victim, id);
    rob(r, victim, out);
    set(m, holds_out);
  };
  if (!in.limited || (m.held & holds_in) != 0 || in.free_in > 0) {
    steal_out();
    return !in.limited || take_in(messages, in, id);
  }
  if (in.half_duplex) {
    if (const auto second = stealable(messages, in); second != kNone) {
      // The other direction's link and its partner change roles, and no message owns the output link any
      // more.
      steal_out();
      in.disown_out(second);
      rob(r, second, in);
      set(m, holds_in);
      return true;
    }
  }
  if (victim != kNone) {
    out.out_queue.push_back(messages, id);
    return false;
  }
  return take_in(messages, in, id);  // that is, queues for it
}

template <class R>
bool DimemasNetwork::take_links(R& r, MessageId id, const Pools& pools) {
  if (pools.out == nullptr) return true;
  const Message& m = r.message(id);
  const auto route = static_cast<Route>(m.route);
  if (route == Route::network) return take_network_links(r, id, *pools.out, *pools.in);
  if (!pools.out->limited) return true;
  auto& messages = r.messages();
  // Half-duplex memory ports are taken in rank order.
  if (route == Route::memory && (pools.out->half_duplex || pools.in->half_duplex) && m.source > m.destination)
    return take_in(messages, *pools.in, id) && take_out(messages, *pools.out, id);
  return take_out(messages, *pools.out, id) && take_in(messages, *pools.in, id);
}

template <class R>
void DimemasNetwork::launch(R& r, MessageId id) {
  const auto pools = pools_of(r.message(id));
  if (!take_links(r, id, pools)) {
    if constexpr (R::kObserved) r.tell_queued(id, link_queue_of(r.message(id)));
    return;
  }
  BusPool* bus = bus_of(r.message(id));
  if (bus != nullptr && bus->limited()) {
    if (bus->in_use >= bus->capacity) {
      bus->queue.push_back(r.messages(), id);
      if constexpr (R::kObserved) r.tell_queued(id, bus_queue_of(r.message(id)));
      return;
    }
    ++bus->in_use;
  }
  start_transfer(r, id, pools, bus);
}

template <class R>
void DimemasNetwork::start_transfer(R& r, MessageId id, const Pools& pools, BusPool* bus) {
  const auto t = r.message(id).transfer;
  if (pools.out != nullptr) {
    pools.out->out_use.add_message(t);
    pools.in->in_use.add_message(t);
  }
  if (bus != nullptr) bus->use.add_message(t);
  r.begin_transfer(id);
}

template <class R>
void DimemasNetwork::free_out(R& r, MessageId id, LinkPool& pool) {
  Message& m = r.message(id);
  if ((m.held & holds_out) == 0) return;
  clear(m, holds_out);
  ++pool.free_out;
  pool.disown_out(id);
  if (pool.half_duplex) {
    ++pool.free_in;
    relaunch_first(r, pool.in_queue, pool.in_use);
  }
  relaunch_first(r, pool.out_queue, pool.out_use);
}

template <class R>
void DimemasNetwork::free_in(R& r, MessageId id, LinkPool& pool) {
  Message& m = r.message(id);
  if ((m.held & holds_in) == 0) return;
  clear(m, holds_in);
  ++pool.free_in;
  if (pool.half_duplex) {
    ++pool.free_out;
    relaunch_first(r, pool.out_queue, pool.out_use);
  }
  relaunch_first(r, pool.in_queue, pool.in_use);
}

template <class R>
void DimemasNetwork::release(R& r, MessageId id) {
  const auto pools = pools_of(r.message(id));
  if (pools.out != nullptr) {
    free_out(r, id, *pools.out);
    free_in(r, id, *pools.in);
  }
  BusPool* bus = bus_of(r.message(id));
  if (bus == nullptr) return;
  if (bus->in_use > 0) --bus->in_use;
  if (bus->limited() && !bus->queue.empty()) serve_bus_queue(r, *bus);
}

}  // namespace busline
