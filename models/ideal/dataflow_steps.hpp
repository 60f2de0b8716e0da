// Dataflow's operations, one by one.
#pragma once
#include "models/ideal/dataflow.hpp"
#include "sim/replay/replay_result.hpp"

namespace busline {

template <DataflowClock Clock, class Observer>
Dataflow<Clock, Observer>::Dataflow(const Program& program, const Machine& machine, Clock& clock,
                                    Observer& observer, const CollectivePlan* plan)
    : program_(program),
      machine_(machine),
      clock_(clock),
      observer_(observer),
      channels_(program.channels().size()),
      layout_(program),
      promises_(layout_.size()),
      gatherings_(program.communicators().size()),
      plan_(plan) {
  if (plan_ != nullptr) inside_.resize(program.strands().size());
  strands_.reserve(program.strands().size());
  for (const auto& strand : program.strands()) {
    State s;
    s.pc = strand.begin;
    s.end = strand.end;
    s.rank = RankId{strand.rank};
    s.node = machine.rank_node[s.rank];
    strands_.push_back(s);
  }
}

template <DataflowClock Clock, class Observer>
Result::Status Dataflow<Clock, Observer>::run(const std::function<bool(double)>& progress) {
  for (auto i = static_cast<std::uint32_t>(strands_.size()); i-- > 0;) {
    reached(StrandId{i});
    runnable_.push_back(StrandId{i});
  }
  constexpr std::size_t kReportEvery = 4096;
  for (std::size_t turns = 1; !runnable_.empty(); ++turns) {
    const auto strand = runnable_.back();
    runnable_.pop_back();
    run_strand(strand);
    if (clock_.overflowed()) return Result::Status::clock_overflow;
    if (progress && turns % kReportEvery == 0) {
      std::uint64_t done = 0;
      for (const auto i : strands_.ids()) done += strands_[i].pc - program_.strands()[raw(i)].begin;
      if (!progress(static_cast<double>(done) / static_cast<double>(program_.operations().size())))
        return Result::Status::interrupted;
    }
  }
  const bool complete =
      std::all_of(strands_.begin(), strands_.end(), [](const State& s) { return s.pc == s.end; });
  return complete ? Result::Status::complete : Result::Status::deadlock;
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::run_strand(StrandId strand) {
  State& s = strands_[strand];
  while (s.pc != s.end && execute(s, strand, program_.operations()[s.pc])) {
    ++s.pc;
    s.overhead_paid = s.posted = false;
    reached(strand);
  }
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::reached(StrandId strand) {
  if constexpr (Clock::kCounts) observer_.reached(strand, strands_[strand].pc, strands_[strand].now);
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::execute(State& s, StrandId strand, const Operation& op) {
  switch (op.kind) {
    case OpKind::compute:
      pass(s, clock_.after(s.now, clock_.burst(strand, s.node, op)), Activity::compute);
      return true;
    case OpKind::noop:
      return true;
    case OpKind::event:
      clock_.user_event(strand, op);
      return true;
    case OpKind::send:
    case OpKind::isend:
      return send(s, strand, op, channels_[ChannelId{op.detail}]);
    case OpKind::recv:
    case OpKind::irecv:
      return receive(s, strand, op, channels_[ChannelId{op.detail}]);
    case OpKind::wait_recv:
      pay(s, clock_.receive_overhead(s.rank, op));
      [[fallthrough]];
    case OpKind::wait_send:
      return await(s, strand, layout_.of(s.rank, op.request), Activity::wait);
    case OpKind::probe:
      return true;  // order_free() excludes it
    case OpKind::collective:
      if constexpr (!Clock::kCounts)
        if (plan_ != nullptr) {
          if (inside_[strand].collective != kNone) return run_rounds(s, strand);
          const auto& args = program_.collectives()[op.detail];
          if (const auto planned = planned_for(strand, args); planned != kNone) {
            enter(s, strand, planned, args);
            return run_rounds(s, strand);
          }
        }
      return gather(s, strand, op, kNone);
    case OpKind::collective_start:
      if constexpr (!Clock::kCounts)
        if (plan_ != nullptr) planned_for(strand, program_.collectives()[op.detail]);
      pay(s, clock_.collective_overhead(s.rank, communicator_of(op), true));
      promises_[layout_.of(s.rank, op.request)] = Promise{};
      gather(s, strand, op, layout_.of(s.rank, op.request));
      return true;
    case OpKind::collective_wait:
      pay(s, clock_.collective_overhead(s.rank, communicator_of(op), false));
      return await(s, strand, layout_.of(s.rank, op.request), Activity::collective);
    case OpKind::put:
    case OpKind::get:
      one_sided(s, op);
      return true;
    case OpKind::local:
      return pay(s, clock_.local_overhead(s.rank, op));
    case OpKind::repeat:
    case OpKind::start:
    case OpKind::again:
      return true;  // order_free() excludes them
    case OpKind::part_send:
    case OpKind::part_receive:
      return true;  // only inside a Replay
    case OpKind::mark:
      if constexpr (Clock::kCounts)
        marks_.push_back({raw(s.rank), op.detail, Time::at(Duration::picoseconds(s.now))});
      return true;
  }
  return true;
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::pass(State& s, Instant until, Activity activity) {
  if constexpr (Clock::kCounts) {
    if (until <= s.now) return;
    s.spent[static_cast<std::size_t>(activity)] += until - s.now;
    s.now = until;
  } else {
    s.now = clock_.later(s.now, until);
  }
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::pay(State& s, Span overhead) {
  if (!s.overhead_paid) pass(s, clock_.after(s.now, overhead), Activity::latency);
  s.overhead_paid = true;
  return true;
}

// ---- point to point

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::push(ChannelState& channel, bool request, const Entry& e) {
  std::uint32_t id = free_entry_;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(e);
  } else {
    free_entry_ = entries_[id].next;
    entries_[id] = e;
  }
  channel.holds_requests = request;
  (channel.head == kNone ? channel.head : entries_[channel.tail].next) = id;
  channel.tail = id;
}

template <DataflowClock Clock, class Observer>
typename Dataflow<Clock, Observer>::Entry Dataflow<Clock, Observer>::pop(ChannelState& channel) {
  const auto id = channel.head;
  const Entry e = entries_[id];
  channel.head = e.next;
  entries_[id].next = free_entry_;
  free_entry_ = id;
  return e;
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::fulfil(RequestId request, Instant time) {
  auto& p = promises_[request];
  p.complete = time;
  p.known = true;
  if (p.waiter == kNone) return;
  runnable_.push_back(p.waiter);
  p.waiter = kNone;
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::await(State& s, StrandId strand, RequestId request, Activity activity) {
  auto& p = promises_[request];
  if (!p.known) {
    p.waiter = strand;
    return false;
  }
  // For a collective: until it began, some member was missing.
  if constexpr (Clock::kCounts)
    if (activity == Activity::collective) pass(s, std::min(p.started, p.complete), Activity::collective_wait);
  pass(s, p.complete, activity);
  return true;
}

/// Both sides are known: the message starts at the later of the two.
template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::start_rendezvous(const Entry& message, Instant posted, RequestId receive) {
  const auto launch = clock_.after(clock_.later(message.time, posted), message.handshake);
  const auto transferred = clock_.after(launch, message.transfer);
  if (message.who != kNone) fulfil(message.who, clock_.sends_complete_at_transfer() ? transferred : launch);
  fulfil(receive, clock_.after(transferred, message.flight));
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::one_sided(State& s, const Operation& op) {
  pay(s, clock_.send_overhead(s.rank, op));
  const auto m = clock_.message(s.rank, op);
  auto& promise = promises_[layout_.of(s.rank, op.request)];
  promise = Promise{};
  promise.complete = clock_.after(clock_.after(s.now, m.transfer), m.flight);
  promise.known = true;
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::send(State& s, StrandId strand, const Operation& op, ChannelState& channel) {
  const bool blocking = op.kind == OpKind::send;
  if (s.posted) return await(s, strand, layout_.own(strand), Activity::wait);
  pay(s, clock_.send_overhead(s.rank, op));
  const auto m = clock_.message(s.rank, op);

  Entry e;
  e.rendezvous = clock_.is_rendezvous(s.rank, op);
  if (blocking && e.rendezvous) e.who = layout_.own(strand);
  if (!blocking && op.request != kNoRequest) e.who = layout_.of(s.rank, op.request);
  if (e.who != kNone) promises_[e.who] = Promise{};
  const bool expected = channel.head != kNone && channel.holds_requests;
  if (!e.rendezvous) {
    if (e.who != kNone) fulfil(e.who, s.now);
    e.time = clock_.after(clock_.after(s.now, m.transfer), m.flight);
    if (expected)
      fulfil(pop(channel).who, e.time);
    else
      push(channel, false, e);
    return true;
  }
  e.time = s.now;
  e.handshake = clock_.handshake(s.rank, op);
  e.transfer = m.transfer;
  e.flight = m.flight;
  if (expected) {
    const Entry receive = pop(channel);
    start_rendezvous(e, receive.time, receive.who);
  } else {
    push(channel, false, e);
  }
  if (!blocking) return true;
  s.posted = true;
  return await(s, strand, e.who, Activity::wait);
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::receive(State& s, StrandId strand, const Operation& op,
                                        ChannelState& channel) {
  const bool blocking = op.kind == OpKind::recv;
  const auto request = blocking ? layout_.own(strand) : layout_.of(s.rank, op.request);
  if (!s.posted) {
    if (blocking) pay(s, clock_.receive_overhead(s.rank, op));
    promises_[request] = Promise{};
    if (channel.head == kNone || channel.holds_requests) {
      Entry e;
      e.time = s.now;
      e.who = request;
      push(channel, true, e);
    } else if (const Entry message = pop(channel); message.rendezvous) {
      start_rendezvous(message, s.now, request);
    } else {
      fulfil(request, message.time);
    }
    s.posted = true;
  }
  return !blocking || await(s, strand, request, Activity::wait);
}

// ---- collectives

template <DataflowClock Clock, class Observer>
typename Dataflow<Clock, Observer>::Gathering& Dataflow<Clock, Observer>::gathering_for(
    StrandId strand, const CollectiveArgs& args, bool blocking) {
  constexpr std::uint32_t kBlocking = kNone;
  std::uint32_t number = kBlocking;
  if (!blocking) {
    if (calls_.empty()) calls_.resize(program_.communicators().size());
    auto& calls = calls_[CommunicatorId{args.communicator}];
    if (calls.empty()) calls.resize(program_.ranks());
    number = calls[strands_[strand].rank]++;
  }
  auto& all = gatherings_[CommunicatorId{args.communicator}];
  for (auto& g : all)
    if (g.number == number) return g;
  all.emplace_back();
  all.back().number = number;
  return all.back();
}

template <DataflowClock Clock, class Observer>
bool Dataflow<Clock, Observer>::gather(State& s, StrandId strand, const Operation& op, RequestId request) {
  const auto& args = program_.collectives()[op.detail];
  auto& g = gathering_for(strand, args, request == kNone);
  if (!g.arrivals.empty() && program_.collectives()[g.last_args].kind != args.kind)
    return false;  // a deadlock
  g.latest = clock_.later(g.latest, s.now);
  g.most_sent = std::max(g.most_sent, args.send_bytes);
  g.most_received = std::max(g.most_received, args.recv_bytes);
  g.last_args = op.detail;
  if (args.is_root) g.root_args = op.detail;
  g.arrivals.push_back({strand, op.detail, request});
  if (g.arrivals.size() == program_.communicators()[args.communicator].members.size())
    finish(g, CommunicatorId{args.communicator});
  return false;
}

template <DataflowClock Clock, class Observer>
void Dataflow<Clock, Observer>::finish(Gathering& g, CommunicatorId communicator) {
  const auto& root = program_.collectives()[g.root_args != kNone ? g.root_args : g.last_args];
  const RankId anyone{program_.communicators()[raw(communicator)].members.front()};
  const auto end = clock_.after(g.latest, clock_.collective(root, g.most_sent, g.most_received, anyone));
  for (const auto& a : g.arrivals) {
    if (a.request != kNone) {
      promises_[a.request].started = g.latest;
      fulfil(a.request, end);
      continue;
    }
    State& s = strands_[a.strand];
    pass(s, g.latest, Activity::collective_wait);
    pass(s, end, Activity::collective);
    ++s.pc;
    reached(a.strand);
    runnable_.push_back(a.strand);
  }
  auto& all = gatherings_[communicator];
  if (&g != &all.back()) std::swap(g, all.back());
  all.pop_back();
}

// ---- figures

template <DataflowClock Clock, class Observer>
RankTimes Dataflow<Clock, Observer>::times_now(StrandId strand) const {
  return rank_times(strands_[strand].spent);
}

template <DataflowClock Clock, class Observer>
Result Dataflow<Clock, Observer>::result(Result::Status status) const {
  Result r;
  r.status = status;
  r.ranks.resize(program_.ranks());
  for (const auto i : machine_.rank_node.ids()) r.ranks[raw(i)].node = raw(machine_.rank_node[i]);
  for (const auto i : strands_.ids()) {
    const auto& s = strands_[i];
    const auto begin = program_.strands()[raw(i)].begin;
    auto& rank = r.ranks[raw(s.rank)];
    const Time end = Time::at(Duration::picoseconds(s.now));
    rank.end = std::max(rank.end, end);
    rank.times += times_now(i);
    r.run_time = std::max(r.run_time, end);
    const auto done = s.pc - begin;
    r.operations += done;
    count_sends(program_.operations().subspan(begin, done), s.rank, r.ranks);
  }
  add_up_sends(r);
  r.marks = by_rank(marks_);
  return r;
}

}  // namespace busline
