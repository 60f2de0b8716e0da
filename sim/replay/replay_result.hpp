// The result of a replay, and the description of blocked ranks if it is stuck.
#pragma once
#include "sim/replay/replay.hpp"
#include "sim/results/blocked.hpp"

namespace busline {

/// Adds the messages that these operations of a rank sent; the peer sends a get. The messages of a run follow
/// from its progress, so the replay itself need not count.
inline void count_sends(std::span<const Operation> done, RankId rank, std::vector<RankResult>& ranks,
                        std::uint64_t times = 1) {
  for (const auto& op : done) {
    const bool get = op.kind == OpKind::get;
    if (!get && op.kind != OpKind::send && op.kind != OpKind::isend && op.kind != OpKind::put) continue;
    auto& sender = ranks[get ? op.peer : raw(rank)];
    sender.messages_sent += times;
    sender.bytes_sent += static_cast<std::uint64_t>(op.amount) * times;
  }
}

inline void add_up_sends(Result& r) {
  for (const auto& rank : r.ranks) {
    r.messages += rank.messages_sent;
    r.bytes += rank.bytes_sent;
    r.collective_messages += rank.collective_messages;
    r.collective_bytes += rank.collective_bytes;
  }
}

template <class Model, class Observer>
RankTimes Replay<Model, Observer>::times_at(StrandId strand, Time instant) const {
  StrandState s = strands_[strand];
  if (!s.finished && !waits_for_start(s)) {
    const auto since = s.since;
    s.charge(instant.count(), s.activity);
    if (nodes_[s.node].polls && s.activity == s.work_activity())
      s.count_as_waiting(instant.count() - since -
                         slices_[s.node].between(slice_number_[strand], since, instant.count()));
  }
  if (s.inside) fold_times(s.spent, cursors_[strand]);
  return rank_times(s.spent);
}

/// The strand's position in the Program.
template <class Model, class Observer>
std::uint64_t Replay<Model, Observer>::position_of(StrandId strand) const {
  const auto* at = strands_[strand].inside ? cursors_[strand].outer : strands_[strand].at;
  return static_cast<std::uint64_t>(at - operations_.data());
}

template <class Model, class Observer>
std::uint64_t Replay<Model, Observer>::operations_done() const {
  std::uint64_t n = 0;
  for (const auto s : ids<StrandId>(program_.strands().size())) {
    const auto& strand = program_.strands()[raw(s)];
    n += position_of(s) - strand.begin + repetitions_of(strand) * (strand.end - strand.begin);
  }
  for (const auto& r : repeats_) n += r.operations;
  return n;
}

template <class Model, class Observer>
double Replay<Model, Observer>::share_done() const {
  std::uint64_t done = 0, all = operations_.size();
  if (jobs_again_.strands == 0) {
    done = operations_done();
  } else {
    all = 0;
    for (const auto s : ids<StrandId>(program_.strands().size())) {
      const auto& strand = program_.strands()[raw(s)];
      if (job_again(strand) != kNone) continue;
      done += position_of(s) - strand.begin;
      all += strand.end - strand.begin;
    }
  }
  const auto share = static_cast<double>(done) / static_cast<double>(all);
  return std::min(share, 1.0);  // some may run more than once
}

template <class Model, class Observer>
Result Replay<Model, Observer>::result(Result::Status status) const {
  Result r;
  r.status = status;
  r.operations = operations_done();
  r.marks = by_rank(marks_);
  r.events = events_handled_;
  r.ranks.resize(program_.ranks());
  for (const auto i : totals_.ids()) {
    auto& rank = r.ranks[raw(i)];
    rank.node = raw(machine_.rank_node[i]);
    rank.link_wait = Duration::picoseconds(totals_[i].link_wait);
    rank.bus_wait = Duration::picoseconds(totals_[i].bus_wait);
    rank.collective_messages = totals_[i].part_messages;
    rank.collective_bytes = totals_[i].part_bytes;
  }
  for (const auto i : ids<StrandId>(program_.strands().size())) {
    const auto& strand = program_.strands()[raw(i)];
    const auto& s = strands_[i];
    const auto at = position_of(i);
    auto& rank = r.ranks[raw(s.rank)];
    const auto job = job_again(strand);
    const Time end = Time::at(Duration::picoseconds(s.finished ? s.finish : now_));
    if (strand.begin != strand.end && operations_[strand.begin].kind == OpKind::start)
      rank.start = std::min(end, Time::at(Duration::picoseconds(operations_[strand.begin].amount)));
    rank.end = std::max(rank.end, end);
    rank.times += times_now(i);
    count_sends(operations_.subspan(strand.begin, at - strand.begin), s.rank, r.ranks);
    if (job != kNone) {
      rank.repetitions = repetitions_of(strand);
      if (rank.repetitions > 0) {
        rank.repeated_until = Time::at(Duration::picoseconds(jobs_again_.jobs.at(job).since));
        count_sends(operations_.subspan(strand.begin, strand.end - strand.begin), s.rank, r.ranks,
                    rank.repetitions);
      }
    }
    if (!repeats_.empty()) {
      rank.messages_sent += repeats_[i].messages;
      rank.bytes_sent += repeats_[i].bytes;
    }
    r.run_time = std::max(r.run_time, end);
    if (s.finished || job != kNone || status != Result::Status::deadlock) continue;
    r.blocked.push_back({raw(s.rank), program_.call_number(strand, at),
                         program_.call_names()[operations_[at].call],
                         what_it_waits_for(program_, operations_[at], arrived_with(i))});
  }
  add_up_sends(r);
  return r;
}

/// Members that have called the collective in which the strand is blocked.
template <class Model, class Observer>
std::size_t Replay<Model, Observer>::arrived_with(StrandId strand) const {
  if (strands_[strand].inside) return arrivals_[cursors_[strand].collective].members;
  const Operation& op = *strands_[strand].at;
  if (op.kind != OpKind::collective) return 0;
  const auto& args = program_.collectives()[op.detail];
  const auto instance = communicators_[CommunicatorId{args.communicator}].blocking;
  if (instance == kNone) return 0;
  const auto& arrivals = collectives_[instance].arrivals;
  if (arrivals.empty()) return 0;  // all have arrived, and it waits for buses
  const bool same = program_.collectives()[arrivals.front().args].kind == args.kind;
  return same ? arrivals.size() : 0;
}

}  // namespace busline
