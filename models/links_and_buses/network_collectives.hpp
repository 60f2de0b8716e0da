// Collectives on a DimemasNetwork: a collective takes all buses of its machines and, between machines, their
// WAN links; while it waits, it keeps those that it has (docs/model.md, sections 5.5 and 6.3).
//
// It requests each kind of resource on all machines at one instant, and the next kind only after obtaining
// all of the previous one. So two collectives are in the same order in every queue, and cannot block each
// other.
#pragma once
#include "models/links_and_buses/network.hpp"

namespace busline {

/// The published description has one level, so a collective inside a node does not touch the network, and one
/// between machines only the WAN, which has no buses. Dimemas 5.5 takes the buses of every machine involved.
inline bool DimemasNetwork::holds_buses(const CollectiveInstance& c) const {
  if (!costs_.platform().mpi.collectives_hold_buses) return false;
  if (costs_.platform().preset == Preset::dimemas_5_5) return true;
  const auto& shape = shapes_[c.communicator];
  return shape.spans_nodes() && !shape.spans_machines();
}

template <class R>
void DimemasNetwork::gather(R& r, CollectiveId id) {
  auto& c = r.collective(id);
  choose_representatives(r, c);
  c.stage = 0;
  c.missing = static_cast<std::uint32_t>(c.representatives.size());
  if (!holds_buses(c)) {
    c.missing = 0;
    return next_stage(r, id);
  }
  for (std::size_t i = 0; i < c.representatives.size(); ++i) request_buses(r, id, i);
  if (c.missing == 0) next_stage(r, id);
}

template <class R>
MessageId DimemasNetwork::standin_for(R& r, CollectiveId id, std::size_t representative) {
  auto& standin = r.collective(id).representatives[representative].standin;
  if (standin == kNone) {
    standin = r.messages().take();
    Message& m = r.message(standin);
    m.flags = Message::standin;
    m.set_collective(id);
    m.set_representative(representative);
  }
  r.message(standin).since = r.now();
  return standin;
}

template <class R>
void DimemasNetwork::request_buses(R& r, CollectiveId id, std::size_t representative) {
  auto& c = r.collective(id);
  auto& member = c.representatives[representative];
  auto& bus = buses_[member.machine];
  if (bus.limited() && bus.in_use != 0) {
    member.buses = bus.capacity - bus.in_use;
    bus.in_use = bus.capacity;
    const auto standin = standin_for(r, id, representative);
    bus.queue.push_back(r.messages(), standin);
    r.tell_queued(standin, {ResourceKind::bus, member.machine});
    return;
  }
  bus.in_use = bus.capacity;
  --c.missing;
}

/// The first in the queue gets the free buses: a message one, a collective all.
template <class R>
void DimemasNetwork::serve_bus_queue(R& r, BusPool& bus) {
  const auto first = bus.queue.head;
  Message& m = r.message(first);
  if (!m.is(Message::standin)) {
    bus.queue.pop_front(r.messages());
    leave_queue(r, first, bus.use, &SenderTotals::bus_wait);
    return launch(r, first);
  }
  auto& c = r.collective(m.collective());
  auto& member = c.representatives[m.representative()];
  member.buses += bus.capacity - bus.in_use;
  bus.in_use = bus.capacity;
  if (member.buses < bus.capacity) return;
  bus.queue.pop_front(r.messages());
  leave_queue(r, first, bus.use, &SenderTotals::bus_wait);
  if (--c.missing == 0) next_stage(r, m.collective());
}

/// For a collective in its stage 1 or 2. False: its stand-in is in the queue.
template <class R>
bool DimemasNetwork::take_wan_link(R& r, const CollectiveInstance& c, MessageId standin,
                                   std::uint32_t machine) {
  auto& pool = wan_links_[machine];
  const bool out = c.stage == 1;
  if (out ? take_out(r.messages(), pool, standin) : take_in(r.messages(), pool, standin)) return true;
  r.tell_queued(standin, {out ? ResourceKind::wan_out : ResourceKind::wan_in, machine});
  return false;
}

/// A stand-in has reached the head of a WAN link's queue, and a link is free.
template <class R>
void DimemasNetwork::resume(R& r, MessageId standin) {
  const auto id = r.message(standin).collective();
  auto& c = r.collective(id);
  if (take_wan_link(r, c, standin, c.representatives[r.message(standin).representative()].machine) &&
      --c.missing == 0)
    next_stage(r, id);
}

/// 0: buses, 1: WAN output links, 2: WAN input links, then it begins.
template <class R>
void DimemasNetwork::next_stage(R& r, CollectiveId id) {
  auto& c = r.collective(id);
  const bool takes_wan_links =
      c.representatives.size() > 1 && costs_.platform().preset == Preset::dimemas_5_5;
  while (c.stage < 2 && takes_wan_links) {
    ++c.stage;
    c.missing = static_cast<std::uint32_t>(c.representatives.size());
    for (std::size_t i = 0; i < c.representatives.size(); ++i) {
      const auto machine = c.representatives[i].machine;
      const auto standin = standin_for(r, id, i);
      if (!wan_links_[machine].limited || take_wan_link(r, c, standin, machine)) --c.missing;
    }
    if (c.missing != 0) return;
  }
  begin(r, id);
}

template <class R>
void DimemasNetwork::begin(R& r, CollectiveId id) {
  auto& c = r.collective(id);
  const auto cost = cost_of(r, c);
  for (const auto& member : c.representatives) {
    c.arrivals.push_back(member.member);
    if (!holds_buses(c)) continue;
    auto& bus = buses_[member.machine];
    bus.use.busy = saturated_sum(bus.use.busy, saturated_product(cost.held.count(), bus.capacity));
  }
  r.begin_collective(id, cost.held.count(), cost.flight.count());
}

template <class R>
void DimemasNetwork::release_collective(R& r, CollectiveId id) {
  // Woken members may begin further collectives, which moves the pool of instances: hence a copy.
  const auto members = r.collective(id).representatives;
  const bool had_buses = holds_buses(r.collective(id));
  for (const auto& member : members) {
    auto& bus = buses_[member.machine];
    if (had_buses) bus.in_use = 0;
    if (member.standin != kNone) {
      auto& pool = wan_links_[member.machine];
      free_out(r, member.standin, pool);
      free_in(r, member.standin, pool);
      r.messages().give_back(member.standin);
    }
    if (!had_buses) continue;
    for (auto waiting = bus.queue.length; waiting > 0 && bus.in_use < bus.capacity; --waiting)
      serve_bus_queue(r, bus);
  }
}

}  // namespace busline
