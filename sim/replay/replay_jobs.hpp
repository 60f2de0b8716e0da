// Replay of several jobs on one machine: strands that begin later, and jobs that begin again until the others
// have ended (docs/decisions/097-jobs-are-one-program.md).
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

/// The time until now counts as none of the strand's activities.
template <class Model, class Observer>
void Replay<Model, Observer>::begin_strand(StrandId strand) {
  auto& s = strands_[strand];
  s.since = now_;
  charge(strand, now_, Activity::cpu_wait);
  if (next_operation(s, strand))
    make_ready(strand);
  else
    finish(strand);
}

template <class Model, class Observer>
void Replay<Model, Observer>::count_strands_again() {
  for (const auto& strand : program_.strands()) {
    if (strand.begin == strand.end || operations_[strand.end - 1].kind != OpKind::again) continue;
    ++jobs_again_.strands;
    ++jobs_again_.jobs[CommunicatorId{operations_[strand.end - 1].detail}].strands;
  }
}

/// The communicator whose job the strand runs again and again; kNone for a strand that ends.
template <class Model, class Observer>
CommunicatorId Replay<Model, Observer>::job_again(const Strand& strand) const {
  if (jobs_again_.strands == 0 || strand.begin == strand.end) return kNone;
  const auto& last = operations_[strand.end - 1];
  return last.kind == OpKind::again ? CommunicatorId{last.detail} : CommunicatorId{kNone};
}

/// Those of the strand's job so far.
template <class Model, class Observer>
std::uint64_t Replay<Model, Observer>::repetitions_of(const Strand& strand) const {
  const auto job = job_again(strand);
  return job == kNone ? 0 : jobs_again_.jobs.at(job).repetitions;
}

/// The strand waits for the others of its job. A repetition that takes no time is the last one, since it
/// would be followed by others for ever; so would one beside ranks that cannot continue.
template <class Model, class Observer>
bool Replay<Model, Observer>::execute_again(StrandId strand, const Operation& op) {
  const CommunicatorId id{op.detail};
  auto& job = jobs_again_.jobs[id];
  block(strand, Activity::wait);
  if (++job.here < job.strands) return false;
  job.here = 0;
  ++job.repetitions;
  if (std::exchange(job.since, now_) == now_) return false;
  if (events_handled_ - jobs_again_.looked > strands_.size()) {
    jobs_again_.looked = events_handled_;
    over_ = is_stuck();
  }
  if (!over_) begin_again(id);
  return false;
}

template <class Model, class Observer>
void Replay<Model, Observer>::begin_again(CommunicatorId job) {
  for (const auto i : ids<StrandId>(program_.strands().size())) {
    const auto& strand = program_.strands()[raw(i)];
    if (job_again(strand) != job) continue;
    auto& s = strands_[i];
    s.at = operations_.data() + strand.begin;
    if (s.at->kind == OpKind::start) ++s.at;
    s.overhead_paid = false;
    s.work = StrandState::Work::filler;
    s.loose = true;
    if (!called_.empty()) called_[i].clear();
    observer_.reached(i, position_of(i), now_);
    observer_.woken(i, now_);
    make_ready(i);
  }
}

/// Whether no strand that ends can continue: all wait, and nothing of their ranks is under way.
template <class Model, class Observer>
bool Replay<Model, Observer>::is_stuck() const {
  std::vector<bool> ends(program_.ranks());
  for (const auto& strand : program_.strands())
    if (job_again(strand) == kNone) ends[strand.rank] = true;
  for (const auto& s : strands_) {
    if (s.finished || !ends[raw(s.rank)]) continue;
    if (waits_for_start(s) || (s.activity != Activity::wait && s.activity != Activity::collective_wait))
      return false;
  }
  for (const auto id : messages_.ids()) {
    const Message& m = messages_[id];
    const bool under_way = (m.flags & (Message::launched | Message::matched | Message::reduce_part)) != 0;
    if (under_way && !m.is(Message::arrived) && ends[raw(m.source)]) return false;
  }
  return std::none_of(collectives_.begin(), collectives_.end(), [&](const CollectiveInstance& c) {
    const auto& members = program_.communicators()[raw(c.communicator)].members;
    return c.calls == members.size() && ends[members.front()];
  });
}

}  // namespace busline
