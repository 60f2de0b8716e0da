#include "studies/timeline/run_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "workloads/files/output_file.hpp"

namespace busline::timeline {
namespace {

// Where what is sorted is kept: beside the file that is meant, where there has to be room for it.
std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Range timeline_range(const TimelineOptions& options) {
  Range range;
  if (options.from) range.from = options.from->count();
  if (options.to) range.to = options.to->count();
  return range;
}

State waiting_state(OpKind kind) {
  switch (kind) {
    case OpKind::recv:
    case OpKind::probe:
      return State::in_receive;
    case OpKind::send:
      return State::in_send;
    // Inside of an algorithm a strand waits for the collective's own messages.
    case OpKind::collective:
      return State::collective;
    default:
      return State::in_wait;
  }
}

State state_of(Activity activity, const Operation* op) {
  switch (activity) {
    case Activity::compute:
      return op != nullptr && (op->flags & Operation::elapsed) != 0 ? State::file_access : State::compute;
    case Activity::latency:
      return State::latency;
    case Activity::wait:
      return op == nullptr ? State::in_wait : waiting_state(op->kind);
    case Activity::collective_wait:
      return State::for_members;
    case Activity::collective:
      return State::collective;
    case Activity::cpu_wait:
      return State::for_cpu;
  }
  return State::for_cpu;
}

// Computation stands between calls, except for time that a call takes by itself.
bool is_in_call(const Operation& op) {
  return op.kind != OpKind::compute || (op.flags & Operation::elapsed) != 0;
}

// By ResourceKind, of those that messages queue for.
constexpr std::array<const char*, kQueues> kQueueNames{"messages waiting for out links",
                                                       "messages waiting for in links",
                                                       "messages waiting for buses",
                                                       "messages waiting for out ports of memory",
                                                       "messages waiting for in ports of memory",
                                                       "messages waiting for memory buses",
                                                       "messages waiting for WAN out links",
                                                       "messages waiting for WAN in links",
                                                       "messages waiting for connections out",
                                                       "messages waiting for connections in",
                                                       "messages waiting for their turn"};

}  // namespace

Expected<std::unique_ptr<RunTimeline>> RunTimeline::of(const TimelineOptions& options, const Program& program,
                                                       const Machine& machine) {
  const auto format = format_of(options.path);
  if (!format) return tl::unexpected(format.error());
  for (const auto rank : options.ranks)
    if (rank >= program.ranks())
      return tl::unexpected(option_error(
          {}, fmt::format("rank {}: the workload has {} ranks, numbered from 0", rank, program.ranks())));
  if (auto writable = check_writable(options.path); !writable)
    return tl::unexpected(std::move(writable.error()));
  // The constructor is private.
  return std::unique_ptr<RunTimeline>(new RunTimeline(options, **format, program, machine));
}

RunTimeline::RunTimeline(const TimelineOptions& options, const Format& format, const Program& program,
                         const Machine& machine)
    : format_(format),
      program_(program),
      machine_(machine),
      path_(options.path),
      layout_(program),
      node_index_(machine.nodes.size(), kNone),
      first_track_(program.ranks(), kNone),
      records_(format.key, folder_of(options.path)) {
  timeline_.title = options.title;
  timeline_.rank_names = options.rank_names;
  timeline_.calls.assign(program.call_names().begin(), program.call_names().end());
  timeline_.events.assign(program.event_labels().begin(), program.event_labels().end());
  timeline_.collectives.assign(program.collectives().begin(), program.collectives().end());
  add_tracks(options.ranks, machine);
  recorder_.emplace(timeline_.tracks.size(), format.wanted, format.unit, timeline_range(options), records_);
  in_transfer_ = level_of("messages in transfer", kNone);
  // Before its start a strand is not there.
  for (const auto i : ids<StrandId>(program.strands().size())) {
    const auto& s = program.strands()[raw(i)];
    if (s.begin != s.end && program.operations()[s.begin].kind == OpKind::start)
      recorder_->state(strands_[i].track, State::ended, 0);
  }
}

void RunTimeline::add_tracks(const std::vector<std::uint32_t>& ranks, const Machine& machine) {
  IdVector<RankId, bool> wanted(program_.ranks(), ranks.empty());
  for (const auto rank : ranks) wanted[RankId{rank}] = true;
  IdVector<NodeId, bool> used(machine.nodes.size(), false);
  for (const auto r : wanted.ids())
    if (wanted[r]) used[machine.rank_node[r]] = true;
  for (const auto n : used.ids()) {
    if (!used[n]) continue;
    node_index_[n] = static_cast<std::uint32_t>(timeline_.nodes.size());
    timeline_.nodes.push_back({raw(n), machine.nodes[n].cpus});
  }
  for (const auto& s : program_.strands()) {
    strands_.push_back({kNone, s.end, nullptr});
    const RankId rank{s.rank};
    if (!wanted[rank]) continue;
    auto& first = first_track_[rank];
    const auto track = static_cast<std::uint32_t>(timeline_.tracks.size());
    if (first == kNone) first = track;
    timeline_.tracks.push_back({s.rank, track - first, node_of_rank(rank)});
    strands_.back().track = track;
  }
  for (const auto& c : program_.communicators()) {
    auto& members = timeline_.communicators.emplace_back().members;
    std::copy_if(c.members.begin(), c.members.end(), std::back_inserter(members),
                 [&](std::uint32_t r) { return first_track_[RankId{r}] != kNone; });
  }
}

// ---- strands

void RunTimeline::reached(StrandId strand, std::uint64_t index, std::int64_t now) {
  last_ = std::max(last_, now);
  auto& s = strands_[strand];
  if (s.at != nullptr) over(strand, *s.at, now);
  const auto* const next = index == s.end ? nullptr : &program_.operations()[index];
  const bool begins = next != nullptr && (next->flags & Operation::first_of_call) != 0;
  if (next == nullptr || begins || !is_in_call(*next)) recorder_->leave(s.track, now);
  if (begins && is_in_call(*next)) recorder_->enter(s.track, next->call, now);
  if (next != nullptr && next->kind == OpKind::collective)
    recorder_->begin_collective(s.track, next->detail, now);
  s.at = next;
}

/// What a strand has when an operation of it is over.
void RunTimeline::over(StrandId strand, const Operation& op, std::int64_t now) {
  const auto& s = strands_[strand];
  switch (op.kind) {
    case OpKind::event:
      return recorder_->event(s.track, op.detail, op.amount, now);
    case OpKind::collective:
      return recorder_->end_collective(s.track, now);
    case OpKind::irecv:
      return recorder_->request(Kind::posted, s.track, op.request, now);
    case OpKind::wait_send:
      return recorder_->request(Kind::send_complete, s.track, op.request, now);
    case OpKind::recv:
    case OpKind::wait_recv: {
      const auto request = op.kind == OpKind::recv
                               ? layout_.own(strand)
                               : layout_.of(RankId{program_.strands()[raw(strand)].rank}, op.request);
      const auto found = received_.find(request);
      if (found == received_.end()) return;
      auto& message = found->second;
      message.peer = s.track;
      message.until = now;
      if (op.kind == OpKind::wait_recv) recorder_->request(Kind::request, s.track, op.request, now);
      recorder_->message(message);
      received_.erase(found);
      return;
    }
    default:
      return;
  }
}

// Strands beyond those of the Program carry out non-blocking collectives beside their rank.
void RunTimeline::charged(StrandId strand, Activity next, std::int64_t when) {
  last_ = std::max(last_, when);
  if (strands_.has(strand))
    recorder_->state(strands_[strand].track, state_of(next, strands_[strand].at), when);
}

void RunTimeline::finished(StrandId strand, std::int64_t now) {
  last_ = std::max(last_, now);
  if (strands_.has(strand)) recorder_->state(strands_[strand].track, State::ended, now);
}

// ---- messages

Record& RunTimeline::record_of(MessageId id) {
  messages_.reach(id);
  return messages_[id];
}

void RunTimeline::sent(MessageId id, const Message& m, StrandId strand, std::int64_t now) {
  auto& r = record_of(id) = Record{};
  const bool by_strand = strands_.has(strand) && program_.strands()[raw(strand)].rank == raw(m.source);
  r.at = now;
  r.track = by_strand ? strands_[strand].track : first_track_[m.source];
  r.peer = first_track_[m.destination];
  r.value = static_cast<std::int64_t>(m.bytes);
  r.message = sent_++;
  r.tag = kPartTag;
  if (m.is(Message::reduce_part) || m.channel == ChannelId{kPartChannel}) {
    r.flags = Record::part;
    return;
  }
  const auto& channel = program_.channels()[raw(m.channel)];
  r.name = channel.communicator;
  r.tag = channel.tag;
  const auto* const op = strands_.has(strand) ? strands_[strand].at : nullptr;
  if (op != nullptr && (op->kind == OpKind::put || op->kind == OpKind::get))
    r.flags = Record::one_sided;
  else if (op != nullptr && op->kind == OpKind::isend && op->request != kNoRequest)
    recorder_->request(Kind::request, r.track, op->request, now);
  if (r.flags == 0) recorder_->send(r);
}

void RunTimeline::queued(MessageId id, const Message& m, const ResourceId& place, std::int64_t now) {
  waits_at_.reach(id);
  waits_at_[id] = level_of(m, place);
  change_level(waits_at_[id], 1, now);
}

void RunTimeline::left_queue(MessageId id, const Message& /*message*/, std::int64_t now) {
  change_level(waits_at_[id], -1, now);
}

void RunTimeline::began(MessageId id, const Message& /*message*/, std::int64_t /*alone*/, std::int64_t now) {
  record_of(id).physical_send = now;
  change_level(in_transfer_, 1, now);
}

void RunTimeline::ended(MessageId /*id*/, const Message& /*message*/, std::int64_t now) {
  change_level(in_transfer_, -1, now);
}

void RunTimeline::arrived(MessageId id, const Message& /*message*/, std::int64_t now) {
  last_ = std::max(last_, now);
  record_of(id).physical_receive = now;
}

/// A message that a call receives is reported when that is over; others when they arrive.
void RunTimeline::received(MessageId id, RequestId request, std::int64_t /*now*/) {
  auto& r = record_of(id);
  if (r.flags == 0) {
    received_.insert_or_assign(request, r);
    return;
  }
  r.until = r.physical_receive;
  recorder_->message(r);
}

// ---- levels

std::uint32_t RunTimeline::level_of(const char* name, std::uint32_t node) {
  const auto [at, added] =
      level_index_.try_emplace({name, node}, static_cast<std::uint32_t>(timeline_.levels.size()));
  if (added) {
    timeline_.levels.push_back({name, node});
    level_values_.push_back(0);
  }
  return at->second;
}

/// kNone for a node without tracks.
std::uint32_t RunTimeline::level_of(const Message& m, const ResourceId& place) {
  std::uint32_t node = kNone;
  switch (place.kind) {
    case ResourceKind::link_out:
    case ResourceKind::link_in:
    case ResourceKind::memory_bus:
      node = node_index_[NodeId{place.owner}];
      break;
    case ResourceKind::port_out:
    case ResourceKind::port_in:
      node = node_of_rank(RankId{place.owner});
      break;
    case ResourceKind::turn:
      node = node_of_rank(m.source);
      break;
    default:
      return level_of(kQueueNames[static_cast<std::size_t>(place.kind)], kNone);
  }
  return node == kNone ? kNone : level_of(kQueueNames[static_cast<std::size_t>(place.kind)], node);
}

void RunTimeline::change_level(std::uint32_t level, std::int64_t by, std::int64_t now) {
  if (level == kNone) return;
  level_values_[level] += by;
  recorder_->level(level, level_values_[level], now);
}

Expected<bool> RunTimeline::write(const Result& result, const std::function<bool(double)>& progress) {
  recorder_->finish(std::max(last_, result.run_time.count()));
  return format_.write({timeline_, records_, recorder_->begin(), recorder_->end(), path_, progress});
}

}  // namespace busline::timeline
