#include "workloads/salvage/untimed_run.hpp"

#include <utility>

namespace busline {
namespace {

bool receives(OpKind kind) {
  return kind == OpKind::recv || kind == OpKind::irecv;
}
bool is_send(OpKind kind) {
  return kind == OpKind::send || kind == OpKind::isend;
}

}  // namespace

UntimedRun::UntimedRun(const Program& program, const std::vector<bool>& sends_may_lack)
    : program_(program),
      layout_(program),
      ordinals_(program.operations().size(), 0),
      channels_(program.channels().size()),
      slots_(layout_.size(), kUnused),
      meetings_(program.communicators().size()) {
  for (const auto& s : program.strands()) {
    ready_.push_back(strands_.next());
    strands_.push_back({s.begin, s.end, RankId{s.rank}});
  }
  if (!program.wildcards().empty()) {
    open_.resize(program.ranks());
    open_ranks_.resize(program.ranks());
    for (const auto& w : program.wildcards()) open_[RankId{w.destination}].used = true;
  }
  if (!sends_may_lack.empty()) count_what_lacks(sends_may_lack);
}

void UntimedRun::count_what_lacks(const std::vector<bool>& sends_may_lack) {
  std::vector<std::int64_t> surplus(channels_.size(), 0);
  IdVector<RankId, std::int64_t> open_surplus(program_.ranks(), 0);
  for (const auto& op : program_.operations()) {
    if (!is_send(op.kind) && !receives(op.kind)) continue;
    const auto n = receives(op.kind) ? 1 : -1;
    const auto to = destination_of(op);
    if (is_open(to))
      open_surplus[to] += n;
    else
      surplus[op.detail] += n;
  }
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (surplus[c] > 0 && sends_may_lack[program_.channels()[c].source])
      channels_[c].lacking = static_cast<std::uint32_t>(surplus[c]);
  for (const auto rank : open_ranks_.ids())
    if (open_surplus[rank] > 0) open_ranks_[rank].lacking = static_cast<std::uint32_t>(open_surplus[rank]);
}

void UntimedRun::run() {
  do {
    while (!ready_.empty()) {
      const auto strand = ready_.back();
      ready_.pop_back();
      auto& s = strands_[strand];
      while (s.pc != s.end && step(strand)) {
        ++s.pc;
        s.entered = false;
      }
    }
  } while (pass_over_one());
}

bool UntimedRun::step(StrandId strand) {
  auto& s = strands_[strand];
  const auto& op = program_.operations()[s.pc];
  switch (op.kind) {
    case OpKind::compute:
    case OpKind::noop:
    case OpKind::event:
    case OpKind::mark:
    case OpKind::local:
    case OpKind::repeat:  // of generated Programs, which are never incomplete
    case OpKind::start:   // of merged ones, likewise
    case OpKind::again:
    case OpKind::part_send:
    case OpKind::part_receive:
      return true;
    case OpKind::send:
    case OpKind::isend:
      send(op, s.pc, s.rank);
      return true;
    case OpKind::recv:
      if (!std::exchange(s.entered, true)) post(op, s.pc, s.rank);
      return wait_for(strand, s.pc);
    case OpKind::irecv:
      post(op, s.pc, s.rank);
      return true;
    case OpKind::probe:
      return probe(strand, op);
    case OpKind::put:
    case OpKind::get:
      ordinals_[s.pc] = kOneSided;
      set_slot(op, s.pc, s.rank);
      return true;
    case OpKind::collective:
      return collective(strand, op);
    case OpKind::collective_start:
      start(strand, op);
      return true;
    case OpKind::wait_send:
    case OpKind::wait_recv:
    case OpKind::collective_wait:
      return wait(strand, op);
  }
  return true;
}

// ---- messages

void UntimedRun::send(const Operation& op, std::uint64_t index, RankId rank) {
  const RankId peer{op.peer};
  if (!is_open(peer)) {
    auto& c = channels_[op.detail];
    ordinals_[index] = c.sent++;
    wake(c.waiting);
  } else {
    const auto id = messages_.take();
    auto& m = messages_[id];
    m.source = rank;
    m.destination = peer;
    m.channel = ChannelId{op.detail};
    m.flags = Message::arrived;
    received_.push_back(false);
    ordinals_[index] = raw(id);
    open_[peer].sent(id, program_, messages_);
    match_open(peer);
  }
  if (op.request != kNoRequest) set_slot(op, index, rank);
}

void UntimedRun::post(const Operation& op, std::uint64_t index, RankId rank) {
  if (!is_open(rank)) {
    ordinals_[index] = channels_[op.detail].posted++;
  } else {
    const auto request = requests_.next();
    requests_.push_back({kNone, rank, kNone});
    ordinals_[index] = raw(request);
    const auto message = open_[rank].post(request, op.detail, program_, messages_);
    if (message != kNone) receive(message, request);
  }
  if (op.kind == OpKind::irecv) set_slot(op, index, rank);
}

void UntimedRun::match_open(RankId rank) {
  auto& open = open_[rank];
  for (auto m = open.next_in_order(messages_); m != kNone; m = open.next_in_order(messages_)) {
    auto request = open.match(m, program_, messages_);
    while (request != kNone && requests_[request].message == kPassedOver)
      request = open.match(m, program_, messages_);
    if (request != kNone)
      receive(m, request);
    else
      wake(open_ranks_[rank].probing);
  }
}

void UntimedRun::receive(MessageId message, RequestId request) {
  received_[message] = true;
  requests_[request].message = message;
  wake(requests_[request].waiting);
}

bool UntimedRun::probe(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (std::exchange(s.entered, false)) {  // skipped
    ordinals_[s.pc] = raw(kPassedOver);
    return true;
  }
  if (is_open(s.rank)) {
    ordinals_[s.pc] = raw(open_[s.rank].receivable(op.detail, program_, messages_));
    return ordinals_[s.pc] != kNone || block(strand, Wait::message, raw(s.rank), open_ranks_[s.rank].probing);
  }
  auto& c = channels_[op.detail];
  ordinals_[s.pc] = c.posted;
  return c.sent > c.posted || block(strand, Wait::channel, op.detail, c.waiting);
}

void UntimedRun::set_slot(const Operation& op, std::uint64_t index, RankId rank) {
  slots_[layout_.of(rank, op.request)] = index;
  wake(waiting_for_slot_);
}

bool UntimedRun::wait(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  const auto origin = slots_[layout_.of(s.rank, op.request)];
  // Another strand of the rank will begin it.
  if (origin == kUnused) return block(strand, Wait::slot, op.request, waiting_for_slot_);
  ordinals_[s.pc] = ordinals_[origin];
  return wait_for(strand, origin);
}

bool UntimedRun::wait_for(StrandId strand, std::uint64_t origin) {
  const auto& op = program_.operations()[origin];
  const auto ordinal = ordinals_[origin];
  if (op.kind == OpKind::collective_start) {
    auto& m = meetings_[ordinal];
    return m.complete || block(strand, Wait::start, ordinal, m.waiting);
  }
  if (!receives(op.kind)) return true;
  if (is_open(strands_[strand].rank)) {
    auto& r = requests_[RequestId{ordinal}];
    return r.message != kNone || block(strand, Wait::request, ordinal, r.waiting);
  }
  auto& c = channels_[op.detail];
  return c.sent > ordinal || block(strand, Wait::channel, op.detail, c.waiting);
}

// ---- collectives

// True for the last member. Calls that do not fit together never meet, as in the replay.
UntimedRun::Arrival UntimedRun::arrive(Meeting& meeting, std::uint32_t args) {
  if (meeting.arrived == 0) meeting.first = args;
  const auto& first = program_.collectives()[meeting.first];
  const auto& mine = program_.collectives()[args];
  const bool to_root = mine.sync == CollectiveArgs::Sync::root_synchronised;
  if (first.kind != mine.kind || first.sync != mine.sync || (to_root && first.root != mine.root))
    return Arrival::elsewhere;
  const auto members = program_.communicators()[mine.communicator].members.size();
  return ++meeting.arrived == members ? Arrival::last : Arrival::early;
}

bool UntimedRun::collective(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (s.entered) return true;
  const auto& args = program_.collectives()[op.detail];
  auto& m = meetings_[args.communicator];
  const auto arrival = arrive(m, op.detail);
  if (arrival != Arrival::last) {
    s.entered = arrival == Arrival::early;
    return block(strand, Wait::collective, args.communicator, m.waiting);
  }
  m.arrived = 0;
  wake(m.waiting);
  return true;
}

void UntimedRun::start(StrandId strand, const Operation& op) {
  const auto& s = strands_[strand];
  const auto& args = program_.collectives()[op.detail];
  const auto number = starts_[pair(raw(strand), args.communicator)]++;
  const auto [at, fresh] = started_meetings_.try_emplace(pair(args.communicator, number),
                                                         static_cast<std::uint32_t>(meetings_.size()));
  if (fresh) meetings_.emplace_back();
  ordinals_[s.pc] = at->second;
  auto& m = meetings_[at->second];
  if (arrive(m, op.detail) == Arrival::last) {
    m.complete = true;
    wake(m.waiting);
  }
  set_slot(op, s.pc, s.rank);
}

// ---- waiting

bool UntimedRun::block(StrandId strand, Wait wait, std::uint32_t subject, StrandId& waiting) {
  auto& s = strands_[strand];
  s.wait = wait;
  s.subject = subject;
  s.next = std::exchange(waiting, strand);
  const bool may_pass = (wait == Wait::channel && channels_[subject].lacking > 0) ||
                        (wait == Wait::request && open_ranks_[s.rank].lacking > 0) ||
                        (wait == Wait::message && open_ranks_[s.rank].lacking > 0);
  if (may_pass) may_pass_.push_back(strand);
  return false;
}

// They check again whether they can continue.
void UntimedRun::wake(StrandId& waiting) {
  for (auto strand = std::exchange(waiting, kNone); strand != kNone;
       strand = std::exchange(strands_[strand].next, kNone)) {
    strands_[strand].wait = Wait::nothing;
    ready_.push_back(strand);
  }
}

// Nothing moves: completes one receive whose message may not have been recorded.
bool UntimedRun::pass_over_one() {
  while (!may_pass_.empty()) {
    const auto strand = may_pass_.front();
    may_pass_.pop_front();
    auto& s = strands_[strand];
    if (s.wait == Wait::channel && channels_[s.subject].lacking > 0) {
      // As if an unrecorded message arrived. The oldest receive of the channel takes it.
      auto& c = channels_[s.subject];
      --c.lacking;
      passed_over_.insert(pair(s.subject, c.sent++));
      wake(c.waiting);
      return true;
    }
    if (s.wait == Wait::request && open_ranks_[s.rank].lacking > 0) {
      auto& r = requests_[RequestId{s.subject}];
      --open_ranks_[s.rank].lacking;
      r.message = kPassedOver;
      wake(r.waiting);
      return true;
    }
    if (s.wait == Wait::message && open_ranks_[s.rank].lacking > 0) {
      s.entered = true;
      wake(open_ranks_[s.rank].probing);
      return true;
    }
  }
  return false;
}

// ---- what came of it

RankId UntimedRun::destination_of(const Operation& op) const {
  return RankId{(op.detail & kAnyChannel) != 0 ? program_.wildcards()[op.detail & ~kAnyChannel].destination
                                               : program_.channels()[op.detail].destination};
}

std::size_t UntimedRun::arrived_with(StrandId strand) const {
  const auto& s = strands_[strand];
  return s.wait == Wait::collective || s.wait == Wait::start ? meetings_[s.subject].arrived : 0;
}

bool UntimedRun::has_counterpart(std::uint64_t index) const {
  const auto& op = program_.operations()[index];
  const auto ordinal = ordinals_[index];
  const auto passed_over = [&] { return passed_over_.contains(pair(op.detail, ordinal)); };
  switch (op.kind) {
    case OpKind::send:
    case OpKind::isend:
    case OpKind::wait_send:
      if (ordinal == kOneSided) return true;
      return is_open(RankId{op.peer}) ? received_[MessageId{ordinal}] : ordinal < channels_[op.detail].posted;
    case OpKind::recv:
    case OpKind::irecv:
    case OpKind::wait_recv:
      if (is_open(destination_of(op)))
        return received_by(ordinal) != kNone && received_by(ordinal) != kPassedOver;
      return ordinal < channels_[op.detail].sent && !passed_over();
    case OpKind::probe:
      if (is_open(destination_of(op)))
        return MessageId{ordinal} != kPassedOver && received_[MessageId{ordinal}];
      return ordinal < channels_[op.detail].posted && !passed_over();
    case OpKind::collective_start:
    case OpKind::collective_wait:
      return meetings_[ordinal].complete;
    default:
      return true;
  }
}

std::uint32_t UntimedRun::channel_of(std::uint64_t index) const {
  const auto ordinal = ordinals_[index];
  const bool probe = program_.operations()[index].kind == OpKind::probe;
  return raw(messages_[probe ? MessageId{ordinal} : received_by(ordinal)].channel);
}

}  // namespace busline
