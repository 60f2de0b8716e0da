// The ideal model's fast path: each strand runs ahead until it needs a time that is not known yet. There is
// no event queue; every time is the maximum of the times that it depends on. Valid where order_free() holds,
// and then equal to the event path to the picosecond (docs/decisions/004; tests/laws_test.cpp).
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/algorithms/collective_plan.hpp"
#include "sim/program/program.hpp"
#include "sim/program/request_layout.hpp"
#include "sim/replay/machine.hpp"
#include "sim/replay/part_matching.hpp"
#include "sim/replay/replay_state.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The clock of a Dataflow: `Instant` is a point in time, `Span` a length from the platform or the program.
/// Ordinary runs use PicosecondClock; LineClock builds a graph instead.
template <class C>
concept DataflowClock = requires(C c, const Operation& op, const CollectiveArgs& args, typename C::Instant t,
                                 typename C::Span d) {
  { c.after(t, d) } -> std::same_as<typename C::Instant>;
  { c.later(t, t) } -> std::same_as<typename C::Instant>;
  { c.burst(StrandId{}, NodeId{}, op) } -> std::same_as<typename C::Span>;
  { c.send_overhead(RankId{}, op) } -> std::same_as<typename C::Span>;
  { c.message(RankId{}, op).transfer } -> std::convertible_to<typename C::Span>;
  { c.collective(args, std::uint64_t{}, std::uint64_t{}, RankId{}) } -> std::same_as<typename C::Span>;
  // Whether an Instant is a number of picoseconds, so that the times of strands' activities can be summed.
  { C::kCounts } -> std::convertible_to<bool>;
};

/// One run. All arguments must outlive it. `Observer` as for Replay. `plan`: the collectives that are
/// algorithms, all of them blocking; only for clocks that do not count, since the share of waiting in such a
/// collective depends on the order of events.
template <DataflowClock Clock, class Observer>
class Dataflow {
 public:
  using Instant = typename Clock::Instant;
  using Span = typename Clock::Span;

  Dataflow(const Program& program, const Machine& machine, Clock& clock, Observer& observer,
           const CollectivePlan* plan = nullptr);

  /// Runs until no strand can continue; `progress` as for Replay::run. `deadlock` if a strand has not reached
  /// its end: the event path then reports what each rank waits for.
  Result::Status run(const std::function<bool(double)>& progress = {});
  Result result(Result::Status status) const;
  RankTimes times_now(StrandId strand) const;
  /// The time at which a strand reached its current operation.
  Instant now(StrandId strand) const { return strands_[strand].now; }

 private:
  struct State {
    std::uint64_t pc = 0, end = 0;
    Instant now{};
    RankId rank{};
    NodeId node{};
    bool overhead_paid = false;
    bool posted = false;  // the current operation has been announced, and waits for its counterpart
    ActivityTimes spent{};
  };
  /// A send without a receive, or a receive without a send.
  struct Entry {
    Instant time{};    // a message's arrival or, with rendezvous, its send; a receive's posting
    Span handshake{};  // of a rendezvous message
    Span transfer{};
    Span flight{};
    std::uint32_t next = kNone;
    RequestId who = kNone;  // the receive's request; that of a rendezvous message's sender, or kNone
    bool rendezvous = false;
  };
  struct Promise {  // a request: its completion time, once known
    Instant complete{};
    Instant started{};  // of a collective
    StrandId waiter = kNone;
    bool known = false;
  };
  struct Gathering {  // a collective in progress
    std::uint32_t number = 0;
    std::uint32_t root_args = kNone, last_args = 0;
    Instant latest{};  // arrival
    std::uint64_t most_sent = 0, most_received = 0;
    std::vector<CollectiveInstance::Arrival> arrivals;
  };

  struct Inside {  // a strand's place in a collective that is an algorithm
    std::uint32_t collective = kNone, position = 0, round = 0;
    CommunicatorId communicator{};
    std::size_t at = 0;  // in `operations`, which are those of the round
    std::vector<Operation> operations{};
    std::vector<RequestId> requests{};  // of these
  };
  struct Calls {
    CommunicatorId communicator{};
    std::uint32_t made = 0;
  };

  // True: the operation is complete, and the next one follows.
  bool execute(State& s, StrandId strand, const Operation& op);
  bool send(State& s, StrandId strand, const Operation& op, ChannelState& channel);
  void one_sided(State& s, const Operation& op);
  bool receive(State& s, StrandId strand, const Operation& op, ChannelState& channel);
  bool await(State& s, StrandId strand, RequestId request, Activity activity);
  bool gather(State& s, StrandId strand, const Operation& op, RequestId request);
  bool pay(State& s, Span overhead);
  // dataflow_algorithms.hpp
  std::uint32_t planned_for(StrandId strand, const CollectiveArgs& args);
  void enter(const State& s, StrandId strand, std::uint32_t planned, const CollectiveArgs& args);
  bool run_rounds(State& s, StrandId strand);
  bool next_round(const State& s, StrandId strand);
  bool execute_part(State& s, StrandId strand, const Operation& op);

  CommunicatorId communicator_of(const Operation& op) const {
    return CommunicatorId{program_.collectives()[op.detail].communicator};
  }
  void run_strand(StrandId strand);
  void reached(StrandId strand);
  void start_rendezvous(const Entry& message, Instant posted, RequestId receive);
  void fulfil(RequestId request, Instant time);
  void finish(Gathering& g, CommunicatorId communicator);
  void pass(State& s, Instant until, Activity activity);
  Gathering& gathering_for(StrandId strand, const CollectiveArgs& args, bool blocking);
  void push(ChannelState& channel, bool request, const Entry& e);
  Entry pop(ChannelState& channel);

  const Program& program_;
  const Machine& machine_;
  Clock& clock_;
  Observer& observer_;
  IdVector<StrandId, State> strands_;
  IdVector<ChannelId, ChannelState> channels_;
  RequestLayout layout_;
  IdVector<RequestId, Promise> promises_;
  std::vector<Entry> entries_;
  std::uint32_t free_entry_ = kNone;
  IdVector<CommunicatorId, std::vector<Gathering>> gatherings_;      // in progress
  IdVector<CommunicatorId, IdVector<RankId, std::uint32_t>> calls_;  // non-blocking so far
  std::vector<StrandId> runnable_;
  std::vector<MarkedTime> marks_;
  const CollectivePlan* plan_;
  IdVector<StrandId, Inside> inside_;
  IdVector<StrandId, std::vector<Calls>> called_;
  PartMatching parts_;
  std::vector<RequestId> spare_requests_;
  Round round_;  // kept for its capacity
};

}  // namespace busline

#include "models/ideal/dataflow_algorithms.hpp"  // IWYU pragma: keep
#include "models/ideal/dataflow_steps.hpp"       // IWYU pragma: keep
