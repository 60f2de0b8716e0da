// The ideal model's fast path: each strand runs ahead until it needs something that does not exist yet. No
// event queue; every time is the maximum of the times it depends on. Valid where order_free() holds, and then
// equal to the event path to the picosecond (docs/decisions/004; validation/laws_test.cpp).
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/ideal/null_network.hpp"
#include "sim/burst_lengths.hpp"
#include "sim/machine.hpp"
#include "sim/program.hpp"
#include "sim/replay_state.hpp"
#include "sim/request_layout.hpp"
#include "sim/result.hpp"

namespace busline {

/// One run. Program, Machine and costs must outlive it. `Observer` as for Replay.
template <class Observer>
class Dataflow {
 public:
  Dataflow(const Program& program, const Machine& machine, const CostPolicy& costs, Observer& observer);

  /// Runs until nobody can go on; `progress` as for Replay::run. `deadlock` if somebody has not come to an
  /// end: the event path then tells who waits for what.
  Result::Status run(const std::function<bool(double)>& progress = {});
  Result result(Result::Status status) const;
  RankTimes times_now(std::uint32_t strand) const;
  std::size_t state_bytes() const;

 private:
  struct State {
    std::uint64_t pc = 0, end = 0;
    std::int64_t now = 0;
    std::uint32_t rank = 0, node = 0;
    bool overhead_paid = false;
    bool posted = false;  // the operation at pc has been announced, and waits for its counterpart
    ActivityTimes spent{};
  };
  /// A send without a receive, or a receive without a send.
  struct Entry {
    std::int64_t time = 0;      // a message's arrival or, with rendezvous, its send; a receive's posting
    std::int64_t transfer = 0;  // of a rendezvous message
    std::int64_t flight = 0;
    std::uint32_t next = kNone;
    std::uint32_t who = kNone;  // the receive's request; that of a rendezvous message's sender, or kNone
    bool rendezvous = false;
  };
  struct Promise {  // a request: when it is complete, once that is known
    std::int64_t complete = kUnknown;
    std::int64_t started = 0;  // of a collective
    std::uint32_t waiter = kNone;
  };
  static constexpr std::int64_t kUnknown = -1;
  struct Gathering {  // a collective in progress
    std::uint32_t number = 0;
    std::uint32_t root_args = kNone, last_args = 0;
    std::int64_t latest = 0;  // arrival
    std::uint64_t most_sent = 0, most_received = 0;
    std::vector<CollectiveInstance::Arrival> arrivals;
  };

  // True: the operation is over, and the next one follows.
  bool execute(State& s, std::uint32_t strand);
  bool send(State& s, std::uint32_t strand, const Operation& op);
  void one_sided(State& s, const Operation& op);
  bool receive(State& s, std::uint32_t strand, const Operation& op);
  bool await(State& s, std::uint32_t strand, std::uint32_t request, Activity activity);
  bool gather(State& s, std::uint32_t strand, const Operation& op, std::uint32_t request);
  bool pay(State& s, std::int64_t overhead);

  void run_strand(std::uint32_t strand);
  Message message_of(std::uint32_t rank, const Operation& op) const;
  void start_rendezvous(const Entry& message, std::int64_t posted, std::uint32_t receive);
  void fulfil(std::uint32_t request, std::int64_t time);
  void finish(Gathering& g, std::uint32_t communicator);
  void pass(State& s, std::int64_t until, Activity activity);
  Gathering& gathering_for(std::uint32_t strand, const CollectiveArgs& args, bool blocking);
  void push(ChannelState& channel, bool request, const Entry& e);
  Entry pop(ChannelState& channel);
  std::int64_t sum(std::int64_t a, std::int64_t b);

  const Program& program_;
  const Machine& machine_;
  const CostPolicy& costs_;
  Observer& observer_;
  bool overflow_ = false;
  std::vector<State> strands_;
  std::vector<ChannelState> channels_;
  RequestLayout layout_;
  std::vector<Promise> promises_;
  std::vector<Entry> entries_;
  std::uint32_t free_entry_ = kNone;
  std::vector<std::vector<Gathering>> gatherings_;  // by communicator, in progress
  std::vector<std::vector<std::uint32_t>> calls_;   // by communicator, of each rank: non-blocking so far
  std::vector<std::uint32_t> runnable_;
  std::vector<MarkedTime> marks_;
  BurstLengths bursts_;
};

}  // namespace busline

#include "models/ideal/dataflow_steps.hpp"  // IWYU pragma: keep
