// Replay of collectives as closed forms: the rendezvous of the members. The model decides costs and buses.
// Follows docs/model.md, sections 5.1, 5.6 and 6.4.
//
// A collective for which the platform names an algorithm is handled in replay_algorithms.hpp.
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

template <class Model, class Observer>
bool Replay<Model, Observer>::execute_collective(StrandId strand, const Operation& op) {
  const auto& args = program_.collectives()[op.detail];
  if (!strands_[strand].overhead_paid)  // else this call was checked before
    if (const auto planned = planned_for(strand, args); planned != kNone)
      return execute_algorithm(strand, planned, args);
  if (args.sync == CollectiveArgs::Sync::root_synchronised && model_.reduces_to_root()) {
    auto& s = strands_[strand];
    if (!s.overhead_paid)
      if (const auto x = model_.collective_overhead(s.rank, CommunicatorId{args.communicator}, true); x > 0) {
        pay(strand, x);
        return false;
      }
    return arrive_at_rooted_reduce(strand, op.detail);
  }
  block(strand, Activity::collective_wait);
  arrive(strand, op.detail, kNone, kNone);
  return false;
}

/// The number of non-blocking collectives that the strand has started on the communicator so far. It matches
/// the calls of the members.
template <class Model, class Observer>
std::uint32_t Replay<Model, Observer>::next_number(StrandId strand, CommunicatorId communicator) {
  if (started_.empty()) started_.resize(strands_.size());
  for (auto& c : started_[strand])
    if (c.communicator == communicator) return c.used++;
  started_[strand].push_back({communicator, 1});
  return 0;
}

/// The instance of this call; a new one for the first member. `number`: see next_number; kNone for blocking
/// calls.
template <class Model, class Observer>
CollectiveId Replay<Model, Observer>::instance_for(const CollectiveArgs& args, std::uint32_t number) {
  auto& communicator = communicators_[CommunicatorId{args.communicator}];
  const bool blocking = number == kNone;
  if (blocking) {
    if (communicator.blocking != kNone) return communicator.blocking;
  } else {
    for (const auto id : communicator.others)
      if (collectives_[id].number == number) return id;
  }
  auto id = collectives_.next();
  if (free_collectives_.empty()) {
    collectives_.emplace_back();
  } else {
    id = free_collectives_.back();
    free_collectives_.pop_back();
  }
  auto& c = collectives_[id];
  c.communicator = CommunicatorId{args.communicator};
  c.number = number;
  c.blocking = blocking;
  if (blocking)
    communicator.blocking = id;
  else
    communicator.others.push_back(id);
  return id;
}

/// Whether a call belongs to the instance. Members that call different operations or name different roots
/// never meet, nor do calls in excess of the members: the report of a stuck run shows them.
template <class Model, class Observer>
bool Replay<Model, Observer>::joins(CollectiveInstance& c, std::uint32_t args, bool to_root) const {
  if (c.calls == 0) {
    c.first_args = args;
    c.to_root = to_root;
  }
  const auto& first = program_.collectives()[c.first_args];
  const auto& mine = program_.collectives()[args];
  if (c.calls == program_.communicators()[raw(c.communicator)].members.size() || c.to_root != to_root ||
      first.kind != mine.kind || (to_root && first.root != mine.root))
    return false;
  ++c.calls;
  return true;
}

template <class Model, class Observer>
void Replay<Model, Observer>::arrive(StrandId strand, std::uint32_t args, RequestId request,
                                     std::uint32_t number) {
  const auto& mine = program_.collectives()[args];
  const auto id = instance_for(mine, number);
  auto& c = collectives_[id];
  if (!joins(c, args, false)) return;
  if (mine.is_root) c.root = static_cast<std::uint32_t>(c.arrivals.size());
  observer_.joined(id, c, strand, args, request, now_);
  c.arrivals.push_back({strand, args, request});
  c.most_sent = std::max(c.most_sent, mine.send_bytes);
  c.most_received = std::max(c.most_received, mine.recv_bytes);
  c.all_sent += static_cast<double>(mine.send_bytes);
  c.all_received += static_cast<double>(mine.recv_bytes);
  if (c.arrivals.size() != program_.communicators()[mine.communicator].members.size()) return;
  if (c.root == kNone) c.root = static_cast<std::uint32_t>(c.arrivals.size()) - 1;
  if (mine.kind == CollectiveKind::init || mine.kind == CollectiveKind::finalize)
    return begin_collective(id, 0, 0);
  model_.gather(*this, id);
}

template <class Model, class Observer>
void Replay<Model, Observer>::begin_collective(CollectiveId id, std::int64_t held, std::int64_t flight) {
  collectives_[id].start = now_;
  observer_.collective_began(id, collectives_[id], held, flight, now_);
  schedule(held, collective_release, id);
  schedule(held > Duration::max().count() - flight ? Duration::max().count() : held + flight,
           collective_close, id);
}

/// Lets the members continue, in the order of CollectiveInstance::arrivals.
template <class Model, class Observer>
void Replay<Model, Observer>::close_collective(CollectiveId id) {
  auto& c = collectives_[id];
  observer_.collective_over(id, c, now_);
  for (const auto& a : c.arrivals) {
    auto strand = a.strand;
    if (a.request != kNone) {
      auto& request = requests_[a.request];
      request.state = Request::State::complete;
      observer_.completed(a.request, now_);
      strand = request.waiter;
      request.waiter = kNone;
      if (strand == kNone) continue;
    }
    auto& s = strands_[strand];
    const auto waited_until = std::max(c.start, s.since);
    charge(strand, waited_until, Activity::collective);
    observer_.woken(strand, now_);
    advance(strand, true);
  }
  retire_instance(id);
}

template <class Model, class Observer>
void Replay<Model, Observer>::retire_instance(CollectiveId id) {
  auto& c = collectives_[id];
  auto& communicator = communicators_[c.communicator];
  if (c.blocking)
    communicator.blocking = kNone;
  else
    communicator.others.erase(std::find(communicator.others.begin(), communicator.others.end(), id));
  c.arrivals.clear();
  c.calls = 0;
  c.root = kNone;
  c.most_sent = c.most_received = 0;
  c.all_sent = c.all_received = 0;
  c.representatives.clear();
  free_collectives_.push_back(id);
}

// ---- Reduce with a message from each member to the root. A member continues when its own message has
// arrived,
// the root when all messages have.

/// True if the strand continues at once.
template <class Model, class Observer>
bool Replay<Model, Observer>::arrive_at_rooted_reduce(StrandId strand, std::uint32_t args) {
  const auto& mine = program_.collectives()[args];
  const auto id = instance_for(mine, next_number(strand, CommunicatorId{mine.communicator}));
  auto& c = collectives_[id];
  if (!joins(c, args, true)) {
    block(strand, Activity::collective_wait);
    return false;
  }
  observer_.joined(id, c, strand, args, kNone, now_);
  if (mine.is_root) {
    c.root = static_cast<std::uint32_t>(c.arrivals.size());
    c.arrivals.push_back({strand, args, kNone});
    if (c.arrivals.size() == program_.communicators()[mine.communicator].members.size()) {
      retire_instance(id);
      return step_over(strand, true);
    }
    block(strand, Activity::collective_wait);
    return false;
  }
  block(strand, Activity::collective_wait);
  const auto message = messages_.take();
  Message& m = messages_[message];
  m.source = strands_[strand].rank;
  m.destination = RankId{mine.root};
  m.set_strand(strand);
  m.set_collective(id);
  m.bytes = mine.send_bytes;
  m.flags = Message::reduce_part;
  m.since = now_;
  model_.prepare(m);
  observer_.sent(message, m, strand, now_);
  observer_.launched(message, now_);
  model_.launch(*this, message);
  return false;
}

template <class Model, class Observer>
void Replay<Model, Observer>::reduce_part_done(MessageId message) {
  const auto strand = messages_[message].strand();
  const auto id = messages_[message].collective();
  hand_over(message, kNone);
  auto& c = collectives_[id];
  c.arrivals.push_back({strand, 0, kNone});
  if (c.arrivals.size() == program_.communicators()[raw(c.communicator)].members.size()) {
    // Without a root among them, possible only with two threads of a rank, no member waits for all.
    const StrandId root = c.root == kNone ? kNone : c.arrivals[c.root].strand;
    retire_instance(id);
    if (root != kNone) {
      observer_.woken(root, now_);
      advance(root, true);
    }
  }
  observer_.woken(strand, now_);
  advance(strand, true);
}

}  // namespace busline
