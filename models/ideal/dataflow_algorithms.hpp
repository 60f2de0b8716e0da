// Dataflow's collectives that are algorithms: a strand executes the rounds of the schedule as operations, as
// sim/replay/replay_algorithms.hpp does for a Replay.
#pragma once
#include <algorithm>

#include "models/ideal/dataflow.hpp"
#include "sim/replay/round_operations.hpp"

namespace busline {

/// Index of the planned collective that the strand's call belongs to, or kNone for a closed form. Counts the
/// call.
template <DataflowClock Clock, class Observer>
std::uint32_t Dataflow<Clock, Observer>::planned_for(StrandId strand, const CollectiveArgs& args) {
  if (called_.empty()) called_.resize(strands_.size());
  const CommunicatorId communicator{args.communicator};
  auto& called = called_[strand];
  auto calls = std::find_if(called.begin(), called.end(),
                            [&](const Calls& c) { return c.communicator == communicator; });
  if (calls == called.end()) calls = called.insert(called.end(), {communicator, 0});
  const auto planned = plan_->index(communicator, calls->made++);
  return (*plan_)[planned].schedule == nullptr ? kNone : planned;
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::enter(const State& s, StrandId strand, std::uint32_t planned,
                                      const CollectiveArgs& args) {
  auto& in = inside_[strand];
  in.collective = planned;
  in.communicator = CommunicatorId{args.communicator};
  in.position = plan_->position(in.communicator, s.rank);
  in.round = 0;
  in.at = 0;
  in.operations.clear();
}

/// True if the collective is complete.
template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::run_rounds(State& s, StrandId strand) {
  auto& in = inside_[strand];
  do {
    for (; in.at < in.operations.size(); ++in.at) {
      if (!execute_part(s, strand, in.operations[in.at])) return false;
      s.overhead_paid = s.posted = false;
    }
  } while (next_round(s, strand));
  in.collective = kNone;
  return true;
}

/// Makes the strand's part in its next round: its receives, its sends, and then waits for all. False after
/// the last round.
template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::next_round(const State& s, StrandId strand) {
  auto& in = inside_[strand];
  const auto& planned = (*plan_)[in.collective];
  const auto& members = program_.communicators()[raw(in.communicator)].members;
  const auto site = planned.site(static_cast<std::uint32_t>(members.size()), in.position);
  spare_requests_.insert(spare_requests_.end(), in.requests.rbegin(), in.requests.rend());
  in.requests.clear();
  in.operations.clear();
  in.at = 0;
  if (!planned.schedule->round(site, in.round++, round_)) return false;
  const auto first = raw(layout_.of(s.rank, 0));
  const auto new_slot = [&] {
    if (spare_requests_.empty()) {
      spare_requests_.push_back(promises_.next());
      promises_.emplace_back();
    }
    in.requests.push_back(spare_requests_.back());
    spare_requests_.pop_back();
    return raw(in.requests.back()) - first;
  };
  add_round(round_, *plan_, planned, in.position, members, new_slot, in.operations);
  return true;
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::execute_part(State& s, StrandId strand, const Operation& op) {
  if (op.kind != OpKind::part_send && op.kind != OpKind::part_receive) return execute(s, strand, op);
  const bool sends = op.kind == OpKind::part_send;
  const RankId peer{op.peer};
  const PartChannel key{inside_[strand].collective, sends ? s.rank : peer, sends ? peer : s.rank};
  auto& channel = parts_.at(key);
  const bool done = sends ? send(s, strand, op, channel) : receive(s, strand, op, channel);
  if (channel.head == kNone) parts_.drop(key);
  return done;
}

}  // namespace busline
