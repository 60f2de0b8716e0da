// Replay of collectives as algorithms. A strand that reaches one continues with a second cursor, which turns
// each round of the schedule into operations when the strand reaches it. There is no rendezvous at the start:
// messages alone order the ranks. They are matched separately from the Program's and are otherwise ordinary
// messages (docs/decisions/039).
//
// A non-blocking one gets a separate strand on the same node, which advances when the node has a CPU for it.
// With progress in calls, a round after its first begins only while its rank waits in a call
// (docs/decisions/094).
#pragma once
#include "sim/replay/replay.hpp"
#include "sim/replay/round_operations.hpp"

namespace busline {

/// Index of the planned collective that the strand's call belongs to, or kNone for a closed form.
template <class Model, class Observer>
std::uint32_t Replay<Model, Observer>::planned_for(StrandId strand, const CollectiveArgs& args) {
  if (plan_.empty()) return kNone;
  const CommunicatorId communicator{args.communicator};
  auto& called = called_[strand];
  auto count = std::find_if(called.begin(), called.end(),
                            [&](const Count& c) { return c.communicator == communicator; });
  if (count == called.end()) count = called.insert(called.end(), {communicator, 0});
  const auto planned = plan_.index(communicator, count->used++);
  return plan_[planned].schedule == nullptr ? kNone : planned;
}

/// Makes the algorithm's operations the strand's next ones.
template <class Model, class Observer>
void Replay<Model, Observer>::enter(StrandId strand, std::uint32_t planned, const CollectiveArgs& args) {
  auto& s = strands_[strand];
  auto& c = cursors_[strand];
  charge(strand, now_, s.activity);
  observer_.entered(strand, s.rank, planned, args, now_);
  c.outer = s.at;
  c.outer_end = s.end;
  c.collective = planned;
  c.communicator = CommunicatorId{args.communicator};
  c.position = plan_.position(c.communicator, s.rank);
  c.round = 0;
  c.request = kNone;
  c.entered = now_;
  c.before = s.spent;
  s.inside = true;
  auto& arrivals = arrivals_[planned];
  ++arrivals.members;
  arrivals.last = now_;
}

/// True if the next operation is also to be executed.
template <class Model, class Observer>
bool Replay<Model, Observer>::execute_algorithm(StrandId strand, std::uint32_t planned,
                                                const CollectiveArgs& args) {
  enter(strand, planned, args);
  return step_over_at_end(strand, true);
}

/// May move the strands, which invalidates references to them.
template <class Model, class Observer>
void Replay<Model, Observer>::start_algorithm(StrandId strand, std::uint32_t planned,
                                              const CollectiveArgs& args, RequestId request) {
  auto id = strands_.next();
  if (spare_strands_.empty()) {
    strands_.emplace_back();
    cursors_.emplace_back();
  } else {
    id = spare_strands_.back();
    spare_strands_.pop_back();
  }
  StrandState s;
  s.rank = strands_[strand].rank;
  s.node = strands_[strand].node;
  s.since = now_;
  strands_[id] = s;
  if (nodes_[s.node].polls) {
    slice_number_.reach(id);
    slice_number_[id] = slice_number_[strand];
  }
  enter(id, planned, args);
  cursors_[id].request = request;
  if (next_round(id))
    make_ready(id);
  else
    finish(id);
}

/// Moves to the next round with work for the rank, or to the operation after the collective in the Program.
/// False at the strand's end.
template <class Model, class Observer>
bool Replay<Model, Observer>::next_round(StrandId strand) {
  auto& c = cursors_[strand];
  const auto& planned = plan_[c.collective];
  const auto ranks = static_cast<std::uint32_t>(program_.communicators()[raw(c.communicator)].members.size());
  const auto site = planned.site(ranks, c.position);
  while (planned.schedule->round(site, c.round, round_)) {
    ++c.round;
    if (round_.empty()) continue;
    fill_round(strand);
    strands_[strand].at = c.operations.data();
    strands_[strand].end = c.operations.data() + c.operations.size();
    return true;
  }
  return leave(strand);
}

// Handles the end of a round or of the strand. Separate from `advance` and `step_over`, which stay short that
// way.

template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::advance_at_end(StrandId strand, bool loose) {
  if (!strands_[strand].inside) return finish(strand);
  if (is_held_back(strand)) return hold_back(strand);
  go_on_after_round(strand, loose);
}

template <class Model, class Observer>
void Replay<Model, Observer>::go_on_after_round(StrandId strand, bool loose) {
  if (!next_round(strand)) return finish(strand);
  strands_[strand].loose = loose;
  make_ready(strand);
}

template <class Model, class Observer>
[[gnu::noinline]] bool Replay<Model, Observer>::step_over_at_end(StrandId strand, bool loose) {
  if (strands_[strand].inside) {
    if (is_held_back(strand)) {
      hold_back(strand);
      return false;
    }
    if (next_round(strand)) return is_at_call(strand, loose);
  }
  finish(strand);
  return false;
}

/// A round as operations: posts the receives, starts the sends, and then waits for all.
template <class Model, class Observer>
void Replay<Model, Observer>::fill_round(StrandId strand) {
  auto& c = cursors_[strand];
  const auto rank = strands_[strand].rank;
  const auto own = raw(layout_.of(rank, 0));
  spare_requests_.insert(spare_requests_.end(), c.requests.rbegin(), c.requests.rend());
  c.requests.clear();
  c.operations.clear();
  const auto new_slot = [&] {
    if (spare_requests_.empty()) {
      spare_requests_.push_back(requests_.next());
      requests_.emplace_back();
    }
    c.requests.push_back(spare_requests_.back());
    spare_requests_.pop_back();
    return raw(c.requests.back()) - own;  // after its regular ones
  };
  add_round(round_, plan_, plan_[c.collective], c.position,
            program_.communicators()[raw(c.communicator)].members, new_slot, c.operations);
}

/// Ends the collective for the strand. False at the strand's end.
template <class Model, class Observer>
bool Replay<Model, Observer>::leave(StrandId strand) {
  auto& s = strands_[strand];
  auto& c = cursors_[strand];
  spare_requests_.insert(spare_requests_.end(), c.requests.rbegin(), c.requests.rend());
  c.requests.clear();
  s.inside = false;
  charge(strand, now_, Activity::cpu_wait);
  observer_.left(strand, now_);
  if (c.request != kNone) {
    s.at = s.end = nullptr;
    const auto waiter = requests_[c.request].waiter;
    // As for closed forms: time before the last arrival was spent waiting for it.
    if (waiter != kNone) {
      const auto since = strands_[waiter].since;
      charge(waiter, std::clamp(arrivals_[c.collective].last, since, now_), Activity::collective);
    }
    complete_request(c.request);
    return false;
  }
  fold_times(s.spent, c);
  s.at = c.outer + 1;
  s.end = c.outer_end;
  observer_.reached(strand, position_of(strand), now_);
  return s.at != s.end;
}

/// A strand's time inside counts as the collective's; waiting up to the last arrival as waiting for the
/// collective.
template <class Model, class Observer>
void Replay<Model, Observer>::fold_times(ActivityTimes& spent, const PlanCursor& c) const {
  const auto at = [](Activity a) { return static_cast<std::size_t>(a); };
  const auto latency = spent[at(Activity::latency)] - c.before[at(Activity::latency)];
  const auto wait = spent[at(Activity::wait)] - c.before[at(Activity::wait)];
  const auto for_others = std::min(wait, std::max<std::int64_t>(0, arrivals_[c.collective].last - c.entered));
  spent[at(Activity::latency)] -= latency;
  spent[at(Activity::wait)] -= wait;
  spent[at(Activity::collective_wait)] += for_others;
  spent[at(Activity::collective)] += latency + wait - for_others;
}

// ---- matching, as for the Program's messages but in channels of the collective

template <class Model, class Observer>
MessageId Replay<Model, Observer>::post_part(StrandId strand, RequestId request, RankId source) {
  requests_[request].reopen();
  const PartChannel key{cursors_[strand].collective, source, strands_[strand].rank};
  auto& channel = parts_.at(key);
  const auto message = post_in(channel, request);
  if (channel.head == kNone) parts_.drop(key);
  return message;
}

template <class Model, class Observer>
RequestId Replay<Model, Observer>::announce_part(StrandId strand, MessageId message) {
  const Message& m = messages_[message];
  auto& totals = totals_[m.source];
  ++totals.part_messages;
  totals.part_bytes += m.bytes;
  const PartChannel key{cursors_[strand].collective, m.source, m.destination};
  auto& channel = parts_.at(key);
  const auto request = announce_in(channel, message);
  if (channel.head == kNone) parts_.drop(key);
  return request;
}

}  // namespace busline
