// Replay, part 4: what a run gave, and for a run that is stuck, who waits for what.
#pragma once
#include <fmt/format.h>

#include "sim/replay.hpp"

namespace busline {

template <class Model, class Observer>
RankTimes Replay<Model, Observer>::times_now(std::uint32_t strand) const {
  StrandState s = strands_[strand];
  if (!s.finished) s.charge(now_, s.activity);
  const auto spent = [&](Activity a) { return Duration::picoseconds(s.spent[static_cast<std::size_t>(a)]); };
  return {spent(Activity::compute),         spent(Activity::latency),    spent(Activity::wait),
          spent(Activity::collective_wait), spent(Activity::collective), spent(Activity::cpu_wait)};
}

template <class Model, class Observer>
Result Replay<Model, Observer>::result(Result::Status status) const {
  Result r;
  r.status = status;
  r.operations = operations_done_;
  r.events = events_handled_;
  r.messages = messages_sent_;
  r.bytes = bytes_sent_;
  r.ranks.resize(program_.ranks());
  for (std::uint32_t i = 0; i < r.ranks.size(); ++i) {
    auto& rank = r.ranks[i];
    rank.node = machine_.rank_node[i];
    rank.link_wait = Duration::picoseconds(totals_[i].link_wait);
    rank.bus_wait = Duration::picoseconds(totals_[i].bus_wait);
    rank.messages_sent = totals_[i].messages;
    rank.bytes_sent = totals_[i].bytes;
  }
  for (std::uint32_t i = 0; i < strands_.size(); ++i) {
    const auto& s = strands_[i];
    auto& rank = r.ranks[s.rank];
    const Time end = Time::at(Duration::picoseconds(s.finished ? s.finish : now_));
    rank.end = std::max(rank.end, end);
    rank.times += times_now(i);
    r.run_time = std::max(r.run_time, end);
    if (s.finished || status != Result::Status::deadlock) continue;
    r.blocked.push_back({s.rank, program_.call_number(program_.strands()[i], s.pc),
                         program_.call_names()[operations_[s.pc].call], what_it_waits_for(i)});
  }
  return r;
}

template <class Model, class Observer>
std::string Replay<Model, Observer>::what_it_waits_for(std::uint32_t strand) const {
  const auto& s = strands_[strand];
  const Operation& op = operations_[s.pc];
  const auto envelope = [&](std::uint32_t detail) {
    std::uint32_t communicator = 0;
    std::int32_t tag = 0;
    if ((detail & kAnyChannel) != 0) {
      communicator = program_.wildcards()[detail & ~kAnyChannel].communicator;
      tag = program_.wildcards()[detail & ~kAnyChannel].tag;
    } else {
      communicator = program_.channels()[detail].communicator;
      tag = program_.channels()[detail].tag;
    }
    return tag == kAnyTag ? fmt::format("any tag, communicator {}", communicator)
                          : fmt::format("tag {}, communicator {}", tag, communicator);
  };
  switch (op.kind) {
    case OpKind::recv:
    case OpKind::wait_recv:
    case OpKind::probe:
      return op.peer == kAnySource
                 ? fmt::format("a message from any rank, {}", envelope(op.detail))
                 : fmt::format("a message from rank {}, {}", op.peer, envelope(op.detail));
    case OpKind::send:
    case OpKind::wait_send:
      return fmt::format("rank {} to post the receive of {} bytes, {}", op.peer, op.amount, envelope(op.detail));
    case OpKind::collective:
    case OpKind::collective_wait: {
      const auto& args = program_.collectives()[op.detail];
      const auto& communicator = communicators_[args.communicator];
      const auto members = program_.communicators()[args.communicator].members.size();
      std::size_t arrived = 0;
      if (op.kind == OpKind::collective && communicator.blocking != kNone)
        arrived = collectives_[communicator.blocking].arrivals.size();
      return arrived == 0
                 ? fmt::format("the other members of communicator {} ({} ranks)", args.communicator, members)
                 : fmt::format("{} of the {} members of communicator {} that have not called {}",
                               members - arrived, members, args.communicator, name_of(args.kind));
    }
    default: return "its turn";
  }
}

/// Bytes of the replay's own state; vectors are counted by what they use.
template <class Model, class Observer>
std::size_t Replay<Model, Observer>::state_bytes() const {
  std::size_t n = strands_.size() * (sizeof(StrandState) + sizeof(std::uint32_t) + sizeof(std::vector<Count>)) +
                  nodes_.size() * sizeof(NodeState) + channels_.size() * sizeof(ChannelState) +
                  requests_.size() * sizeof(Request) + totals_.size() * sizeof(SenderTotals) +
                  request_base_.size() * sizeof(std::uint32_t) + messages_.peak() * sizeof(Message) +
                  open_.size() * sizeof(OpenMatching) + touched_.capacity() * sizeof(std::uint32_t) +
                  communicators_.size() * sizeof(CommunicatorState) + events_.memory();
  for (const auto& c : collectives_) n += sizeof(c) + c.arrivals.capacity() * sizeof(CollectiveInstance::Arrival);
  return n;
}

}  // namespace busline
