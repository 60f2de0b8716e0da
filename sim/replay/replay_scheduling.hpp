// Scheduling of the replay: CPUs shared by ranks, work items, and the walk along a strand's operations.
// Follows docs/model.md, sections 2.2 and 2.3: a work item runs, then the operation after it is executed at
// that instant.
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

template <class Model, class Observer>
Replay<Model, Observer>::Replay(const Program& program, const Machine& machine, Model& model,
                                Observer& observer)
    : program_(program),
      machine_(machine),
      model_(model),
      observer_(observer),
      operations_(program.operations()),
      layout_(program),
      bursts_(machine, program.strands().size()) {
  static_assert(NetworkModel<Model, Replay>);
  nodes_.resize(machine.nodes.size());
  for (const auto n : nodes_.ids()) {
    nodes_[n].cpus = machine.nodes[n].cpus;
    nodes_[n].switches = machine.nodes[n].context_switch > Duration{};
  }
  strands_.reserve(program.strands().size());
  for (const auto& strand : program.strands()) {
    StrandState s;
    s.at = operations_.data() + strand.begin;
    s.end = operations_.data() + strand.end;
    s.rank = RankId{strand.rank};
    s.node = machine.cpu_node(s.rank);
    strands_.push_back(s);
  }
  share_in_slices();
  count_strands_again();
  requests_.resize(layout_.size());
  channels_.resize(program.channels().size());
  totals_.resize(program.ranks());
  communicators_.resize(program.communicators().size());
  if (!program.wildcards().empty()) {
    open_.resize(program.ranks());
    for (const auto& w : program.wildcards()) open_[RankId{w.destination}].used = true;
  }
  if (model.names_algorithms())
    plan_ = CollectivePlan(
        program, [&](CollectiveKind kind, CommunicatorId communicator, std::uint64_t bytes,
                     bool nonblocking) { return model_.algorithm(kind, communicator, bytes, nonblocking); });
  if (!plan_.empty()) {
    cursors_.resize(strands_.size());
    called_.resize(strands_.size());
    arrivals_.resize(plan_.collectives());
  }
  in_calls_ = model.progresses_in_calls();
  behind_data_ = in_calls_ && model.handshakes_behind_data();
  if (in_calls_) {
    unread_.resize(program.ranks());
    held_back_.resize(program.ranks());
    streams_.resize(program.ranks());
    strands_of_.resize(program.ranks());
    for (const auto id : strands_.ids()) strands_of_[strands_[id].rank].push_back(id);
  }
  start();
}

template <class Model, class Observer>
void Replay<Model, Observer>::start() {
  for (const auto i : strands_.ids()) {
    auto& s = strands_[i];
    observer_.reached(i, position_of(i), 0);
    if (s.at == s.end)
      finish(i);
    else if (s.at->kind == OpKind::start && s.at->amount > 0) [[unlikely]]
      schedule(s.at->amount, strand_start, i);
    else
      make_ready(i);
  }
  sweep();
}

template <class Model, class Observer>
Result::Status Replay<Model, Observer>::run(const std::function<bool(double)>& progress) {
  while (next() != Time::never()) {
    for (int i = 0; i < kReportEvery && (immediate_ != kNone || !events_.empty()); ++i) {
      step();
      if (over_) [[unlikely]]
        break;
    }
    if (progress && !progress(share_done())) return Result::Status::interrupted;
  }
  if (overflow_) return Result::Status::clock_overflow;
  return complete() ? Result::Status::complete : Result::Status::deadlock;
}

template <class Model, class Observer>
bool Replay<Model, Observer>::run_until(Time instant, const std::function<bool(double)>& progress) {
  while (next() <= instant && next() != Time::never()) {
    for (int i = 0; i < kReportEvery && next() <= instant && next() != Time::never(); ++i) step();
    if (progress && !progress(share_done())) return false;
  }
  return true;
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::step() {
  ++events_handled_;
  if (immediate_ != kNone) {
    const auto strand = immediate_;
    immediate_ = kNone;
    observer_.dispatched(work_over, strand, now_);
    end_work(strand);
  } else {
    const Event e = events_.pop();
    now_ = e.time;
    if constexpr (kObserved)
      if (static_cast<EventKind>(e.kind) == work_over) report_slices(EventSubject{e.subject}.strand());
    observer_.dispatched(static_cast<EventKind>(e.kind), EventSubject{e.subject}, now_);
    dispatch(e);
  }
  sweep();
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::dispatch(const Event& e) {
  const EventSubject subject{e.subject};
  switch (static_cast<EventKind>(e.kind)) {
    case work_over:
      return end_work(subject.strand());
    case transfer_over:
      return end_transfer(subject.message());
    case arrival:
      return deliver(subject.message());
    case handshake_over:
      return launch(subject.message());
    case collective_release:
      return model_.release_collective(*this, subject.collective());
    case collective_close:
      return close_collective(subject.collective());
    case model_event:
      if constexpr (requires { model_.on_event(*this, subject.message()); })
        model_.on_event(*this, subject.message());
      return;
    case request_arrival:
    case answer_arrival:
      return step_of_handshake(subject.message());
    case strand_start:
      return begin_strand(subject.strand());
  }
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::schedule(std::int64_t delay, EventKind kind,
                                                                     EventSubject subject) {
  // Beyond the clock's range events cannot be ordered: the run stops there with a separate status.
  if (delay > Duration::max().count() - 1 - now_) [[unlikely]] {
    overflow_ = over_ = true;
    return;
  }
  observer_.scheduled(kind, subject, delay, now_);
  events_.push({now_ + delay, static_cast<std::uint32_t>(kind), subject.number()});
}

// ---- CPUs

/// Nodes with ready strands and free CPUs, among those that this event touched, in id order. Other nodes have
/// not gained anything to start.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::sweep() {
  if (touched_.empty()) return;
  if (touched_.size() > 1) std::sort(touched_.begin(), touched_.end());
  for (const auto n : touched_) {
    auto& node = nodes_[n];
    node.touched = false;
    while (node.ready_head != kNone && node.busy < node.cpus) run_first_ready(node);
  }
  touched_.clear();
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::run_first_ready(NodeState& node) {
  const auto strand = node.ready_head;
  auto& s = strands_[strand];
  node.ready_head = s.next_ready;
  if (node.ready_head == kNone) node.ready_tail = kNone;
  ++node.busy;
  s.loose = true;
  if (node.switches) [[unlikely]] {
    s.switching = true;
    observer_.works(strand, nullptr, machine_.nodes[s.node].context_switch.count(), now_);
    schedule(machine_.nodes[s.node].context_switch.count(), work_over, strand);
  } else {
    start_work(strand);
  }
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::start_work(StrandId strand) {
  auto& s = strands_[strand];
  if (s.work == StrandState::Work::filler) {
    // A filler that would be the next event anyway bypasses the queue.
    observer_.scheduled(work_over, strand, 0, now_);
    if (immediate_ == kNone && events_.nothing_now())
      immediate_ = strand;
    else
      events_.push({now_, static_cast<std::uint32_t>(work_over), raw(strand)});
    return;
  }
  charge(strand, now_, s.work_activity());
  observer_.works(strand, s.at, s.work_length, now_);
  schedule(s.work_length, work_over, strand);
}

template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::end_work(StrandId strand) {
  auto& s = strands_[strand];
  if (s.switching) {
    s.switching = false;
    return start_work(strand);
  }
  auto& node = nodes_[s.node];
  if (node.polls) [[unlikely]]
    end_slices(s);
  else
    --node.busy;
  current_node_ = s.node;
  if (s.work == StrandState::Work::overhead) s.overhead_paid = true;
  if (s.work == StrandState::Work::burst) {
    charge(strand, now_, Activity::cpu_wait);
    if (next_operation(s, strand))
      execute(strand);
    else
      finish(strand);
  } else {
    execute(strand);
  }
  // This node's first ready strand starts before those of other nodes, its other strands in the sweep.
  if (node.ready_head != kNone && node.busy < node.cpus) {
    run_first_ready(node);
    if (node.ready_head != kNone && node.busy < node.cpus) touch(current_node_);
  }
  current_node_ = kNone;
}

/// Queues the strand for a CPU with its next work: the burst at `at`, or a filler before an operation.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::make_ready(StrandId strand) {
  auto& s = strands_[strand];
  if (s.work != StrandState::Work::overhead || s.overhead_paid) {
    const Operation& op = *s.at;
    if (op.kind == OpKind::compute) {
      s.work = StrandState::Work::burst;
      s.work_length = bursts_.length(strand, s.node, op);
    } else {
      s.work = StrandState::Work::filler;
      s.work_length = 0;
    }
  }
  charge(strand, now_, Activity::cpu_wait);
  auto& node = nodes_[s.node];
  if (node.polls) [[unlikely]]
    return work_in_slices(strand);
  if (node.ready_head == kNone) {
    s.next_ready = kNone;
    node.ready_head = node.ready_tail = strand;
  } else if (s.loose) {
    s.next_ready = kNone;
    strands_[node.ready_tail].next_ready = strand;
    node.ready_tail = strand;
  } else {
    s.next_ready = node.ready_head;
    node.ready_head = strand;
  }
  if (s.node != current_node_) touch(s.node);
}

/// Marks the node for the sweep after this event.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::touch(NodeId node) {
  if (nodes_[node].touched) return;
  nodes_[node].touched = true;
  touched_.push_back(node);
}

/// CPU time before the operation at `at` acts, for which the strand keeps its CPU.
template <class Model, class Observer>
void Replay<Model, Observer>::pay(StrandId strand, std::int64_t overhead) {
  auto& s = strands_[strand];
  s.work = StrandState::Work::overhead;
  s.work_length = overhead;
  s.overhead_paid = false;
  s.loose = false;
  make_ready(strand);
}

template <class Model, class Observer>
void Replay<Model, Observer>::finish(StrandId strand) {
  auto& s = strands_[strand];
  charge(strand, now_, Activity::cpu_wait);
  observer_.finished(strand, now_);
  s.finished = true;
  s.finish = now_;
  if (in_calls_) [[unlikely]]
    read_what_has_come(s.rank);
  if (raw(strand) >= program_.strands().size()) {
    spare_strands_.push_back(strand);
    return;
  }
  ++finished_;
  if (jobs_again_.strands > 0 && complete()) [[unlikely]]
    over_ = true;
}

// ---- operations

/// Moves to the next operation; false at the end of the strand, or of a round of its algorithm.
template <class Model, class Observer>
[[gnu::always_inline]] inline bool Replay<Model, Observer>::next_operation(StrandState& s, StrandId strand) {
  ++s.at;
  s.overhead_paid = false;
  s.work = StrandState::Work::filler;
  if constexpr (kObserved)
    if (!s.inside) observer_.reached(strand, position_of(strand), now_);
  return s.at != s.end;
}

/// The operation at `at` is complete; the strand queues for a CPU with its next work. `loose`: after others.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::advance(StrandId strand, bool loose) {
  auto& s = strands_[strand];
  if (!next_operation(s, strand)) [[unlikely]]
    return advance_at_end(strand, loose);
  s.loose = loose;
  make_ready(strand);
}

/// The same for operations that complete at once: true if the next one is executed at the same instant.
template <class Model, class Observer>
bool Replay<Model, Observer>::step_over(StrandId strand, bool loose) {
  auto& s = strands_[strand];
  if (!next_operation(s, strand)) [[unlikely]]
    return step_over_at_end(strand, loose);
  return is_at_call(strand, loose);
}

/// Whether the operation at `at` can be executed in this instant; a burst is queued for a CPU instead.
template <class Model, class Observer>
[[gnu::always_inline]] inline bool Replay<Model, Observer>::is_at_call(StrandId strand, bool loose) {
  auto& s = strands_[strand];
  if (s.at->kind != OpKind::compute) return true;
  s.loose = loose;
  make_ready(strand);
  return false;
}

/// Executes the operation at `at` and those after it that take no time.
template <class Model, class Observer>
[[gnu::always_inline]] inline void Replay<Model, Observer>::execute(StrandId strand) {
  while (execute_one(strand)) {
  }
  if (!pending_starts_.empty()) [[unlikely]]
    register_starts(nodes_[strands_[strand].node]);
}

/// Registers the non-blocking collectives that a strand has started, last one first; each time the node's
/// next strand gets the CPU first (docs/model.md, section 5.6).
template <class Model, class Observer>
void Replay<Model, Observer>::register_starts(NodeState& node) {
  while (!pending_starts_.empty()) {
    if (node.ready_head != kNone && node.busy < node.cpus) run_first_ready(node);
    const auto p = pending_starts_.back();
    pending_starts_.pop_back();
    arrive(p.strand, p.args, p.request, p.number);
  }
}

/// True if the next operation is also to be executed.
template <class Model, class Observer>
[[gnu::always_inline]] inline bool Replay<Model, Observer>::execute_one(StrandId strand) {
  auto& s = strands_[strand];
  const Operation& op = *s.at;
  switch (op.kind) {
    case OpKind::compute:
      s.loose = true;
      make_ready(strand);
      return false;
    case OpKind::noop:
      return step_over(strand, false);
    case OpKind::event:
      bursts_.user_event(strand, op);
      return step_over(strand, true);
    case OpKind::send:
    case OpKind::isend:
      if ((op.flags & Operation::to_last_source) != 0) [[unlikely]]
        execute_send(strand, to_last_source(op, s.rank));
      else
        execute_send(strand, op);
      return false;
    case OpKind::recv:
      execute_recv(strand, op);
      return false;
    case OpKind::irecv:
      execute_irecv(strand, op);
      return false;
    case OpKind::wait_send:
      if (requests_[layout_.of(s.rank, op.request)].state == Request::State::complete)
        return step_over(strand, false);  // costs nothing (docs/model.md, section 3.3)
      execute_wait(strand, op);
      return false;
    case OpKind::wait_recv:
      execute_wait(strand, op);
      return false;
    case OpKind::probe:
      execute_probe(strand, op);
      return false;
    case OpKind::collective:
      return execute_collective(strand, op);
    case OpKind::collective_start: {
      const auto& args = program_.collectives()[op.detail];
      if (!s.overhead_paid)
        if (const auto x = model_.collective_overhead(s.rank, CommunicatorId{args.communicator}, true);
            x > 0) {
          pay(strand, x);
          return false;
        }
      const auto request = layout_.of(s.rank, op.request);
      requests_[request].reopen();
      if (const auto planned = planned_for(strand, args); planned != kNone) {
        start_algorithm(strand, planned, args, request);
        return step_over(strand, true);
      }
      // Numbered here: another start may follow before this one is registered.
      pending_starts_.push_back(
          {strand, op.detail, request, next_number(strand, CommunicatorId{args.communicator})});
      return step_over(strand, true);
    }
    case OpKind::collective_wait:
      if (!s.overhead_paid) {
        const auto& args = program_.collectives()[op.detail];
        if (const auto x = model_.collective_overhead(s.rank, CommunicatorId{args.communicator}, false);
            x > 0) {
          pay(strand, x);
          return false;
        }
      }
      execute_wait(strand, op);
      return false;
    case OpKind::put:
    case OpKind::get:
      execute_one_sided(strand, op);
      return false;
    case OpKind::mark:
      marks_.push_back({raw(s.rank), op.detail, Time::at(Duration::picoseconds(now_))});
      return step_over(strand, false);
    case OpKind::local:
      if (!s.overhead_paid)
        if (const auto x = model_.local_overhead(s.rank, op); x > 0) {
          pay(strand, x);
          return false;
        }
      return step_over(strand, false);
    case OpKind::repeat:
      return execute_repeat(strand, op);
    case OpKind::start:  // at 0
      return step_over(strand, true);
    case OpKind::again:
      return execute_again(strand, op);
    case OpKind::part_send:
      execute_send<true>(strand, op);
      return false;
    case OpKind::part_receive:
      execute_irecv<true>(strand, op);
      return false;
  }
  return false;
}

}  // namespace busline
