#include "models/why/path_observer.hpp"

#include <algorithm>

#include "models/costs/costs.hpp"

namespace busline {

PathObserver::PathObserver(const Program& program) : program_(program), parts_(1), limit_(1U << 16U) {
  for (const auto& s : program.strands()) {
    auto& mine = strands_.emplace_back();
    mine.rank = RankId{s.rank};
    mine.operation = s.begin;
  }
}

// ---- parts

std::uint32_t PathObserver::add(const Part& part) {
  parts_.push_back(part);
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

/// Charges the time since the subject's last part to `cause`.
void PathObserver::pass(Subject& s, std::int64_t until, PathCause cause) {
  if (until <= parts_[s.last].until) return;
  Part p;
  p.until = until;
  p.operation = s.operation & kOperations;
  p.cause = static_cast<std::uint8_t>(cause);
  p.before = s.last;
  p.rank = s.rank;
  s.last = add(p);
}

/// The owner of a part keeps all parts that led to it. A part is made after those that lead to it, so one
/// pass finds the unused ones, and a second one compacts the rest.
void PathObserver::drop_dead_parts() {
  std::vector<std::uint32_t> place(parts_.size(), 0);
  const auto for_holders = [&](auto&& f) {
    f(now_);
    f(last_end_);
    for (auto& s : strands_) f(s.last);
    for (auto& m : messages_) f(m.last);
    for (auto& c : collectives_) f(c.last);
  };
  place[kStart] = 1;
  for_holders([&](std::uint32_t held) { place[held] = 1; });
  for (std::size_t i = parts_.size() - 1; i > 0; --i)
    if (place[i] != 0) place[parts_[i].before] = 1;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (place[i] == 0) continue;
    place[i] = kept;
    parts_[kept] = parts_[i];
    parts_[kept].before = place[parts_[i].before];
    ++kept;
  }
  parts_.resize(kept);
  for_holders([&](std::uint32_t& held) { held = place[held]; });
  limit_ = std::max<std::size_t>(1U << 16U, 2 * parts_.size());
}

// ---- strands

PathObserver::OfStrand& PathObserver::strand(StrandId id) {
  strands_.reach(id);
  return strands_[id];
}

bool PathObserver::is_blocked(const OfStrand& s) const {
  return s.activity == Activity::wait || s.activity == Activity::collective_wait ||
         s.activity == Activity::collective;
}

/// A strand that is not blocked has spent its time on the activity that it is charged to.
void PathObserver::settle(OfStrand& s, std::int64_t now) {
  if (is_blocked(s)) return;
  pass(s, now,
       s.activity == Activity::compute   ? PathCause::compute
       : s.activity == Activity::latency ? PathCause::overhead
                                         : PathCause::cpu_wait);
}

void PathObserver::reached(StrandId id, std::uint64_t index, std::int64_t /*now*/) {
  strands_[id].operation = index;
}

void PathObserver::charged(StrandId id, Activity next, std::int64_t when) {
  auto& s = strand(id);
  settle(s, when);
  const bool was_blocked = is_blocked(s);
  s.activity = next;
  if (!was_blocked && is_blocked(s)) s.blocked_since = when;
}

/// A strand that would have been ready at this instant anyway is its own cause.
void PathObserver::woken(StrandId id, std::int64_t now) {
  auto& s = strand(id);
  if (s.blocked_since == now) return;
  Part p;
  p.until = now;
  p.blocked_since = s.blocked_since;
  p.operation = s.operation & kOperations;
  p.cause = kLate;
  p.before = now_;
  p.rank = s.rank;
  s.last = add(p);
}

void PathObserver::finished(StrandId id, std::int64_t now) {
  auto& s = strand(id);
  settle(s, now);
  if (raw(id) < program_.strands().size() && now > last_end_at_) {
    last_end_at_ = now;
    last_end_ = s.last;
  }
  s.last = kStart;
}

/// A strand that runs a non-blocking collective begins where its calling strand is.
void PathObserver::entered(StrandId id, RankId rank, std::uint32_t /*collective*/,
                           const CollectiveArgs& /*args*/, std::int64_t /*now*/) {
  if (raw(id) < program_.strands().size()) return;
  auto& s = strand(id);
  s = OfStrand();
  s.rank = rank;
  s.last = now_;
  s.operation = strands_[current_].operation;
}

// ---- messages

PathObserver::OfMessage& PathObserver::message(MessageId id) {
  messages_.reach(id);
  return messages_[id];
}

void PathObserver::sent(MessageId id, const Message& /*m*/, StrandId strand, std::int64_t /*now*/) {
  auto& m = message(id);
  m = OfMessage();
  m.rank = strands_[strand].rank;
  m.operation = strands_[strand].operation;
  m.last = now_;
}

/// With rendezvous, the later of its two ends launches it.
void PathObserver::launched(MessageId id, std::int64_t /*now*/) {
  messages_[id].last = now_;
}

void PathObserver::queued(MessageId id, const Message& m, const ResourceId& place, std::int64_t /*now*/) {
  auto& mine = message(id);
  mine.queue = place.kind;
  mine.collective = m.is(Message::standin) ? m.collective() : CollectiveId{kNone};
}

/// Successive waits of a collective's stand-ins are its own waiting; for concurrent ones, the longest counts.
void PathObserver::left_queue(MessageId id, const Message& /*m*/, std::int64_t now) {
  auto& mine = messages_[id];
  pass(mine.collective == kNone ? mine : collective(mine.collective), now, queue_cause(mine.queue));
}

/// The rest of the time since the launch is the latency of the links on a flow's route.
void PathObserver::began(MessageId id, const Message& /*m*/, std::int64_t alone, std::int64_t now) {
  auto& mine = messages_[id];
  pass(mine, now, PathCause::flight);
  mine.alone = alone;
}

void PathObserver::ended(MessageId id, const Message& m, std::int64_t now) {
  auto& mine = messages_[id];
  const auto begin = parts_[mine.last].until;
  auto cause = PathCause::wan;
  switch (static_cast<Route>(m.route)) {
    case Route::self:
    case Route::memory:
      cause = PathCause::memory;
      break;
    case Route::network:
      cause = PathCause::transfer;
      break;
    case Route::wan:
    case Route::dedicated:
      break;
  }
  pass(mine, now - begin > mine.alone ? begin + mine.alone : now, cause);
  pass(mine, now, PathCause::sharing);
  now_ = mine.last;
}

void PathObserver::arrived(MessageId id, const Message& /*m*/, std::int64_t now) {
  auto& mine = messages_[id];
  pass(mine, now, PathCause::flight);
  now_ = mine.last;
}

void PathObserver::received(MessageId id, RequestId /*request*/, std::int64_t /*now*/) {
  messages_[id].last = kStart;
}

// ---- collectives that are closed forms

PathObserver::Subject& PathObserver::collective(CollectiveId id) {
  collectives_.reach(id);
  return collectives_[id];
}

/// The member reported last is the one that all wait for. A non-blocking one is reported after its strand has
/// already continued.
void PathObserver::joined(CollectiveId id, const CollectiveInstance& /*c*/, StrandId strand,
                          std::uint32_t args, RequestId request, std::int64_t /*now*/) {
  auto& c = collective(id);
  c.last = now_;
  c.rank = strands_[strand].rank;
  c.operation = strands_[strand].operation;
  if (request == kNone) return;
  const auto ops = program_.operations();
  for (auto i = c.operation; i > program_.strands()[raw(strand)].begin; --i)
    if (ops[i - 1].kind == OpKind::collective_start && ops[i - 1].detail == args) {
      c.operation = i - 1;
      return;
    }
}

void PathObserver::collective_began(CollectiveId id, const CollectiveInstance& /*c*/, std::int64_t /*held*/,
                                    std::int64_t /*flight*/, std::int64_t now) {
  pass(collective(id), now, queue_cause(ResourceKind::bus));
}

void PathObserver::collective_over(CollectiveId id, const CollectiveInstance& /*c*/, std::int64_t now) {
  auto& mine = collective(id);
  pass(mine, now, PathCause::collective);
  now_ = mine.last;
  mine.last = kStart;
}

// ---- events

void PathObserver::scheduled(EventKind kind, EventSubject subject, std::int64_t /*delay*/,
                             std::int64_t /*now*/) {
  if (is_of_handshake(kind)) messages_[subject.message()].last = now_;
}

void PathObserver::dispatched(EventKind kind, EventSubject subject, std::int64_t now) {
  if (parts_.size() >= limit_) drop_dead_parts();
  if (kind == EventKind::work_over) {
    auto& s = strand(subject.strand());
    settle(s, now);
    current_ = subject.strand();
    now_ = s.last;
  } else if (kind == EventKind::strand_start) {
    now_ = strand(subject.strand()).last;
  } else if (is_of_handshake(kind)) {
    auto& m = messages_[subject.message()];
    pass(m, now, PathCause::handshake);
    now_ = m.last;
  }
}

}  // namespace busline
