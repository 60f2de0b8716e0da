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

#include "sim/program/program.hpp"
#include "sim/program/request_layout.hpp"
#include "sim/replay/machine.hpp"
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
  { c.burst(std::uint32_t{}, std::uint32_t{}, op) } -> std::same_as<typename C::Span>;
  { c.send_overhead(std::uint32_t{}, op) } -> std::same_as<typename C::Span>;
  { c.message(std::uint32_t{}, op).transfer } -> std::convertible_to<typename C::Span>;
  { c.collective(args, std::uint64_t{}, std::uint64_t{}, std::uint32_t{}) } -> std::same_as<typename C::Span>;
  // Whether an Instant is a number of picoseconds, so that the times of strands' activities can be summed.
  { C::kCounts } -> std::convertible_to<bool>;
};

/// One run. Program, Machine and clock must outlive it. `Observer` as for Replay.
template <DataflowClock Clock, class Observer>
class Dataflow {
 public:
  using Instant = typename Clock::Instant;
  using Span = typename Clock::Span;

  Dataflow(const Program& program, const Machine& machine, Clock& clock, Observer& observer);

  /// Runs until no strand can continue; `progress` as for Replay::run. `deadlock` if a strand has not reached
  /// its end: the event path then reports what each rank waits for.
  Result::Status run(const std::function<bool(double)>& progress = {});
  Result result(Result::Status status) const;
  RankTimes times_now(std::uint32_t strand) const;
  /// The time at which a strand reached its current operation.
  Instant now(std::uint32_t strand) const { return strands_[strand].now; }

 private:
  struct State {
    std::uint64_t pc = 0, end = 0;
    Instant now{};
    std::uint32_t rank = 0, node = 0;
    bool overhead_paid = false;
    bool posted = false;  // the current operation has been announced, and waits for its counterpart
    ActivityTimes spent{};
  };
  /// A send without a receive, or a receive without a send.
  struct Entry {
    Instant time{};   // a message's arrival or, with rendezvous, its send; a receive's posting
    Span transfer{};  // of a rendezvous message
    Span flight{};
    std::uint32_t next = kNone;
    std::uint32_t who = kNone;  // the receive's request; that of a rendezvous message's sender, or kNone
    bool rendezvous = false;
  };
  struct Promise {  // a request: its completion time, once known
    Instant complete{};
    Instant started{};  // of a collective
    std::uint32_t waiter = kNone;
    bool known = false;
  };
  struct Gathering {  // a collective in progress
    std::uint32_t number = 0;
    std::uint32_t root_args = kNone, last_args = 0;
    Instant latest{};  // arrival
    std::uint64_t most_sent = 0, most_received = 0;
    std::vector<CollectiveInstance::Arrival> arrivals;
  };

  // True: the operation is complete, and the next one follows.
  bool execute(State& s, std::uint32_t strand);
  bool send(State& s, std::uint32_t strand, const Operation& op);
  void one_sided(State& s, const Operation& op);
  bool receive(State& s, std::uint32_t strand, const Operation& op);
  bool await(State& s, std::uint32_t strand, std::uint32_t request, Activity activity);
  bool gather(State& s, std::uint32_t strand, const Operation& op, std::uint32_t request);
  bool pay(State& s, Span overhead);

  void run_strand(std::uint32_t strand);
  void reached(std::uint32_t strand);
  void start_rendezvous(const Entry& message, Instant posted, std::uint32_t receive);
  void fulfil(std::uint32_t request, Instant time);
  void finish(Gathering& g, std::uint32_t communicator);
  void pass(State& s, Instant until, Activity activity);
  Gathering& gathering_for(std::uint32_t strand, const CollectiveArgs& args, bool blocking);
  void push(ChannelState& channel, bool request, const Entry& e);
  Entry pop(ChannelState& channel);

  const Program& program_;
  const Machine& machine_;
  Clock& clock_;
  Observer& observer_;
  std::vector<State> strands_;
  std::vector<ChannelState> channels_;
  RequestLayout layout_;
  std::vector<Promise> promises_;
  std::vector<Entry> entries_;
  std::uint32_t free_entry_ = kNone;
  std::vector<std::vector<Gathering>> gatherings_;  // by communicator, in progress
  std::vector<std::vector<std::uint32_t>> calls_;  // by communicator, for each rank: non-blocking ones so far
  std::vector<std::uint32_t> runnable_;
  std::vector<MarkedTime> marks_;
};

}  // namespace busline

#include "models/ideal/dataflow_steps.hpp"  // IWYU pragma: keep
