// The replay: runs a Program on a Machine, with a network model for the costs and contention of messages and
// collectives. Owns rank state, MPI matching and the clock. Semantics: docs/model.md, sections 2 to 6; ties:
// sections 2.3 and 9. The cost of an operation does not grow with ranks.
#pragma once
#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

#include "sim/algorithms/collective_plan.hpp"
#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"
#include "sim/program/request_layout.hpp"
#include "sim/replay/burst_lengths.hpp"
#include "sim/replay/data_streams.hpp"
#include "sim/replay/machine.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/observer.hpp"
#include "sim/replay/open_matching.hpp"
#include "sim/replay/part_matching.hpp"
#include "sim/replay/pending_events.hpp"
#include "sim/replay/replay_state.hpp"
#include "sim/replay/time_slices.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The interface of a Model (a compile-time policy; see models/costs/uncontended_network.hpp for the smallest
/// one). `R` is the Replay; ids are indices into its messages and collectives. Times are picoseconds.
template <class M, class R>
concept NetworkModel = requires(M m, R& r, const Operation& op, RankId rank, MessageId id,
                                CollectiveInstance& c, CollectiveId collective) {
  // CPU time of a call, before it acts; 0 for none.
  { m.send_overhead(rank, op) } -> std::same_as<std::int64_t>;
  { m.receive_overhead(rank, op) } -> std::same_as<std::int64_t>;
  { m.collective_overhead(rank, c.communicator, bool{}) } -> std::same_as<std::int64_t>;
  // Fills route, transfer and flight of a new message.
  {m.prepare(r.message(id))};
  // Whether a send of this operation waits for its receive.
  { m.is_rendezvous(rank, op) } -> std::same_as<bool>;
  { m.handshake(rank, rank, std::uint64_t{}) } -> std::same_as<std::int64_t>;
  // CPU time of a local call.
  { m.local_overhead(rank, op) } -> std::same_as<std::int64_t>;
  { m.sends_complete_at_transfer() } -> std::same_as<bool>;
  // Whether a rank takes part in handshakes only while it is in a call.
  { m.progresses_in_calls() } -> std::same_as<bool>;
  // Whether their steps follow the data that went to the same peer.
  { m.handshakes_behind_data() } -> std::same_as<bool>;
  { m.reduces_to_root() } -> std::same_as<bool>;
  // Whether algorithm() ever returns one; the algorithm of an operation, null for a closed form.
  { m.names_algorithms() } -> std::same_as<bool>;
  { m.algorithm(CollectiveKind{}, c.communicator, std::uint64_t{}, bool{}) } -> std::same_as<const Schedule*>;
  // Starts a message: sooner or later the model calls r.begin_transfer(id).
  {m.launch(r, id)};
  // The transfer is complete: releases its resources.
  {m.release(r, id)};
  // All members have arrived: sooner or later the model calls r.begin_collective(id, held, flight).
  {m.gather(r, collective)};
  // Called `held` after that.
  {m.release_collective(r, collective)};
  // A model that uses call_model() also has on_event(r, id).
};

/// One run. Construct it, then run() once, or step() while next() is not Time::never(). Program, Machine and
/// Model must outlive it. Undefined if the Program names ranks beyond the Machine's.
template <class Model, class Observer = NullObserver>
class Replay {
 public:
  Replay(const Program& program, const Machine& machine, Model& model, Observer& observer);

  /// Call it before the run: `seed`, which is not 0, then decides the order of simultaneous events, except
  /// that consequences follow their causes. Ready strands of a node still start in the order of their ids.
  void order_ties_by(std::uint64_t seed) { events_.order_ties_by(seed); }

  /// Runs to the end, or until `progress` (called every 2^18 events with the share of operations done)
  /// returns false.
  Result::Status run(const std::function<bool(double)>& progress = {});
  /// The same up to `instant`: handles all events until then. False if interrupted.
  bool run_until(Time instant, const std::function<bool(double)>& progress = {});
  /// Time of the next event, or Time::never() when nothing is pending. For a driver that owns the clock.
  Time next() {
    if (over_) [[unlikely]]
      return Time::never();
    if (immediate_ != kNone) return Time::at(Duration::picoseconds(now_));
    return events_.empty() ? Time::never() : Time::at(Duration::picoseconds(events_.next_time()));
  }
  /// Handles the next event.
  void step();
  /// Whether every strand that ends has reached its end.
  bool complete() const { return finished_ == program_.strands().size() - jobs_again_.strands; }
  /// Whether an event would lie beyond the clock's range, where the run stops.
  bool overflowed() const { return overflow_; }
  /// The result so far, with a description of blocked ranks if the run is stuck. The model adds its
  /// resources.
  Result result(Result::Status status) const;
  /// A strand's times up to now, including its current activity.
  RankTimes times_now(StrandId strand) const {
    return times_at(strand, Time::at(Duration::picoseconds(now_)));
  }
  /// The same up to a later instant before the next event.
  RankTimes times_at(StrandId strand, Time instant) const;

  // ---- for the model
  std::int64_t now() const { return now_; }
  Message& message(MessageId id) { return messages_[id]; }
  MessagePool& messages() { return messages_; }
  CollectiveInstance& collective(CollectiveId id) { return collectives_[id]; }
  SenderTotals& totals(RankId rank) { return totals_[rank]; }
  RankId rank_of(StrandId strand) const { return strands_[strand].rank; }
  /// The message has all its resources: it holds them for Message::transfer and arrives Message::flight
  /// later.
  void begin_transfer(MessageId id);
  /// For a model that ends transfers itself: this one is complete.
  void transfer_done(MessageId id);
  /// Calls the model's on_event(*this, id) after `delay` ps, after the events pending for that time.
  void call_model(std::int64_t delay, MessageId id) { schedule(delay, model_event, id); }
  /// Whether an observer watches. If so, models report the following events, which only they see.
  static constexpr bool kObserved = !std::is_same_v<Observer, NullObserver>;
  /// The message, or a collective's stand-in, has entered this queue.
  void tell_queued(MessageId id, const ResourceId& place) {
    observer_.queued(id, messages_[id], place, now_);
  }
  /// It has left the queue.
  void tell_left_queue(MessageId id) { observer_.left_queue(id, messages_[id], now_); }
  /// It begins a transfer that the model ends by transfer_done(); `alone`: its length without sharing.
  void tell_began(MessageId id, std::int64_t alone) { observer_.began(id, messages_[id], alone, now_); }
  /// The collective begins: release_collective follows after `held`, and the ranks continue `flight` later.
  void begin_collective(CollectiveId id, std::int64_t held, std::int64_t flight);

  // ---- figures
  std::uint64_t operations_done() const;
  double share_done() const;

 private:
  using enum EventKind;
  static constexpr int kReportEvery = 1 << 18;  // events between two calls of `progress`

  // replay_scheduling.hpp: CPUs, work items, the walk along a strand's operations
  void start();
  void dispatch(const Event& e);
  void schedule(std::int64_t delay, EventKind kind, EventSubject subject);
  void end_work(StrandId strand);
  void execute(StrandId strand);
  void register_starts(NodeState& node);
  bool execute_one(StrandId strand);
  bool step_over(StrandId strand, bool loose);
  void advance(StrandId strand, bool loose);
  bool next_operation(StrandState& s, StrandId strand);
  void pay(StrandId strand, std::int64_t overhead);
  void make_ready(StrandId strand);
  bool is_at_call(StrandId strand, bool loose);
  void charge(StrandId strand, std::int64_t when, Activity next) {
    strands_[strand].charge(when, next);
    observer_.charged(strand, next, when);
  }
  void block(StrandId strand, Activity activity) {
    charge(strand, now_, activity);
    if (in_calls_) [[unlikely]]
      read_what_has_come(strands_[strand].rank);
  }
  void finish(StrandId strand);
  void run_first_ready(NodeState& node);
  void start_work(StrandId strand);
  void sweep();
  void touch(NodeId node);

  // replay_slices.hpp
  void share_in_slices();
  void work_in_slices(StrandId strand);
  void report_slices(StrandId strand);
  void end_slices(StrandState& s);

  // replay_jobs.hpp
  void begin_strand(StrandId strand);
  bool waits_for_start(const StrandState& s) const {
    return !s.inside && s.at != s.end && s.at->kind == OpKind::start && s.at->amount > 0;
  }
  void count_strands_again();
  bool execute_again(StrandId strand, const Operation& op);
  void begin_again(CommunicatorId job);
  CommunicatorId job_again(const Strand& strand) const;
  std::uint64_t repetitions_of(const Strand& strand) const;
  bool is_stuck() const;

  // replay_repeats.hpp
  bool execute_repeat(StrandId strand, const Operation& op);
  Operation to_last_source(const Operation& op, RankId rank);

  // replay_point_to_point.hpp. kPart: part of a collective's algorithm
  template <bool kPart = false>
  void execute_send(StrandId strand, const Operation& op);
  void execute_recv(StrandId strand, const Operation& op);
  template <bool kPart = false>
  void execute_irecv(StrandId strand, const Operation& op);
  void execute_wait(StrandId strand, const Operation& op);
  void execute_probe(StrandId strand, const Operation& op);
  void execute_one_sided(StrandId strand, const Operation& op);
  MessageId post_receive(const Operation& op, RequestId request, RankId rank);
  RequestId announce(MessageId message);
  MessageId post_in(ChannelState& channel, RequestId request);
  RequestId announce_in(ChannelState& channel, MessageId message);
  void pair_up(MessageId message, RequestId request);
  void launch(MessageId message);
  void sender_goes_on(MessageId message);
  void end_transfer(MessageId message);
  void deliver(MessageId message);
  void hand_over(MessageId message, RequestId request);
  void deliver_in_order(RankId rank);
  void complete_request(RequestId request);
  void wake(StrandId strand);
  void wake_probers(RankId rank);
  bool can_receive(const Operation& op, RankId rank) const;
  bool is_open(RankId rank) const { return !open_.empty() && open_[rank].used; }

  // replay_handshakes.hpp
  void launch_rendezvous(MessageId message);
  void begin_handshake(MessageId message);
  void answer(MessageId message);
  void send_in_order(RankId from, RankId to, MessageId message, std::int64_t trip);
  void schedule_step(MessageId message, std::int64_t delay);
  void step_of_handshake(MessageId message);
  void read_request(MessageId message);
  bool reads(RankId rank) const;
  void read_what_has_come(RankId rank);
  bool is_held_back(StrandId strand) const;
  void hold_back(StrandId strand);
  void enter_stream(MessageId message);
  void arrive_in_stream(MessageId message);

  // replay_collectives.hpp
  bool execute_collective(StrandId strand, const Operation& op);
  void arrive(StrandId strand, std::uint32_t args, RequestId request, std::uint32_t number);
  bool arrive_at_rooted_reduce(StrandId strand, std::uint32_t args);
  void reduce_part_done(MessageId message);
  CollectiveId instance_for(const CollectiveArgs& args, std::uint32_t number);
  bool joins(CollectiveInstance& instance, std::uint32_t args, bool to_root) const;
  std::uint32_t next_number(StrandId strand, CommunicatorId communicator);
  void close_collective(CollectiveId id);
  void retire_instance(CollectiveId id);

  // replay_algorithms.hpp
  std::uint32_t planned_for(StrandId strand, const CollectiveArgs& args);
  void enter(StrandId strand, std::uint32_t planned, const CollectiveArgs& args);
  bool execute_algorithm(StrandId strand, std::uint32_t planned, const CollectiveArgs& args);
  void start_algorithm(StrandId strand, std::uint32_t planned, const CollectiveArgs& args, RequestId request);
  bool next_round(StrandId strand);
  void advance_at_end(StrandId strand, bool loose);
  void go_on_after_round(StrandId strand, bool loose);
  bool step_over_at_end(StrandId strand, bool loose);
  void fill_round(StrandId strand);
  bool leave(StrandId strand);
  MessageId post_part(StrandId strand, RequestId request, RankId source);
  RequestId announce_part(StrandId strand, MessageId message);
  void fold_times(ActivityTimes& spent, const PlanCursor& c) const;

  // replay_result.hpp
  std::uint64_t position_of(StrandId strand) const;
  std::size_t arrived_with(StrandId strand) const;

  struct PendingStart {  // a non-blocking collective that is registered once its rank has continued
    StrandId strand;
    std::uint32_t args;
    RequestId request;
    std::uint32_t number;
  };
  struct CommunicatorState {
    CollectiveId blocking = kNone;     // instance in progress
    std::vector<CollectiveId> others;  // non-blocking and root-synchronised ones in progress
  };
  struct Count {
    CommunicatorId communicator;
    std::uint32_t used;
  };
  struct Repeats {
    std::uint32_t now = 0;                                  // of the repeat that the strand is in
    std::uint64_t operations = 0, messages = 0, bytes = 0;  // done more than once
  };
  struct JobAgain {  // the strands that end with OpKind::again for a communicator
    std::uint32_t strands = 0, here = 0;
    std::uint64_t repetitions = 0;
    std::int64_t since = -1;  // when they began again
  };
  struct JobsAgain {
    std::size_t strands = 0;  // of all jobs
    std::map<CommunicatorId, JobAgain> jobs{};
    std::uint64_t looked = 0;  // events when is_stuck() was called last
  };

  const Program& program_;
  const Machine& machine_;
  Model& model_;
  Observer& observer_;
  std::span<const Operation> operations_;
  RequestLayout layout_;
  BurstLengths bursts_;

  std::int64_t now_ = 0;
  bool overflow_ = false;
  bool over_ = false;  // before its time: overflow_, or only strands that never end are left
  std::uint64_t events_handled_ = 0;
  std::size_t finished_ = 0;
  PendingEvents events_;
  StrandId immediate_ = kNone;  // strand whose filler is the next event, ahead of all in events_
  IdVector<StrandId, StrandState> strands_;
  IdVector<NodeId, NodeState> nodes_;
  std::vector<NodeId> touched_;                     // to sweep after this event
  NodeId current_node_ = kNone;                     // whose work item ends in this event; it needs no sweep
  IdVector<NodeId, TimeSlices> slices_;             // empty if no node polls
  IdVector<StrandId, std::uint32_t> slice_number_;  // of a strand on a node that polls; empty likewise
  MessagePool messages_;
  IdVector<ChannelId, ChannelState> channels_;
  IdVector<RequestId, Request> requests_;
  IdVector<RankId, SenderTotals> totals_;
  IdVector<RankId, OpenMatching> open_;  // empty when no rank has an open receive
  std::vector<StrandId> probers_;        // blocked in a probe
  // With progress in calls: handshakes whose step has come to the rank, non-blocking algorithms whose round
  // is over, and the strands of the rank. Empty otherwise.
  bool in_calls_ = false, behind_data_ = false;
  IdVector<RankId, std::vector<MessageId>> unread_;
  IdVector<RankId, std::vector<StrandId>> held_back_;
  IdVector<RankId, std::vector<StrandId>> strands_of_;
  DataStreams streams_;
  IdVector<CollectiveId, CollectiveInstance> collectives_;  // pool
  std::vector<CollectiveId> free_collectives_;
  IdVector<CommunicatorId, CommunicatorState> communicators_;
  IdVector<StrandId, std::vector<Count>> started_;  // non-blocking collectives so far; empty if none
  std::vector<PendingStart> pending_starts_;
  std::vector<MarkedTime> marks_;
  IdVector<StrandId, Repeats> repeats_;  // empty if none has repeated
  JobsAgain jobs_again_;
  std::map<std::array<std::uint32_t, 4>, ChannelId> answers_;  // channels by their fields; empty until used

  // Collectives as algorithms. Strands beyond the Program's run non-blocking ones.
  CollectivePlan plan_;
  IdVector<StrandId, PlanCursor> cursors_;         // empty if nothing is planned
  std::vector<Arrivals> arrivals_;                 // by planned collective
  IdVector<StrandId, std::vector<Count>> called_;  // collectives so far
  PartMatching parts_;
  Round round_;                            // kept for its capacity
  std::vector<RequestId> spare_requests_;  // of parts
  std::vector<StrandId> spare_strands_;    // of non-blocking algorithms
};

}  // namespace busline

#include "sim/replay/replay_algorithms.hpp"      // IWYU pragma: keep
#include "sim/replay/replay_collectives.hpp"     // IWYU pragma: keep
#include "sim/replay/replay_handshakes.hpp"      // IWYU pragma: keep
#include "sim/replay/replay_jobs.hpp"            // IWYU pragma: keep
#include "sim/replay/replay_point_to_point.hpp"  // IWYU pragma: keep
#include "sim/replay/replay_repeats.hpp"         // IWYU pragma: keep
#include "sim/replay/replay_result.hpp"          // IWYU pragma: keep
#include "sim/replay/replay_scheduling.hpp"      // IWYU pragma: keep
#include "sim/replay/replay_slices.hpp"          // IWYU pragma: keep
