// The state that a replay keeps per strand, node, channel and collective in progress.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The activities that a strand's time is charged to. The first six are the fields of RankTimes, in its
/// order.
enum class Activity : std::uint8_t { compute, latency, wait, collective_wait, collective, cpu_wait };
inline constexpr std::size_t kActivities = 6;
using ActivityTimes = std::array<std::int64_t, kActivities>;  ///< ps, by Activity

inline RankTimes rank_times(const ActivityTimes& spent) {
  const auto of = [&](Activity a) { return Duration::picoseconds(spent[static_cast<std::size_t>(a)]); };
  return {of(Activity::compute),         of(Activity::latency),    of(Activity::wait),
          of(Activity::collective_wait), of(Activity::collective), of(Activity::cpu_wait)};
}

/// The kind of an event, which decides what its subject is.
enum class EventKind : std::uint32_t {
  work_over,           ///< a strand's work item
  transfer_over,       ///< a message's
  arrival,             ///< likewise
  handshake_over,      ///< likewise
  collective_release,  ///< a collective's buses are free
  collective_close,    ///< its members continue
  model_event,         ///< the model's own: on a message, unless it is kNone
  request_arrival,     ///< of a handshake with progress in calls: a message's
  answer_arrival,      ///< likewise
  strand_start         ///< a strand's
};
/// Whether a handshake, or a step of one, ends.
constexpr bool is_of_handshake(EventKind kind) {
  return kind == EventKind::handshake_over || kind == EventKind::request_arrival ||
         kind == EventKind::answer_arrival;
}

/// The strand, message or collective that an event is about.
class EventSubject {
 public:
  explicit constexpr EventSubject(std::uint32_t number) : number_(number) {}
  constexpr EventSubject(StrandId id) : number_(raw(id)) {}
  constexpr EventSubject(MessageId id) : number_(raw(id)) {}
  constexpr EventSubject(CollectiveId id) : number_(raw(id)) {}
  constexpr StrandId strand() const { return StrandId{number_}; }
  constexpr MessageId message() const { return MessageId{number_}; }
  constexpr CollectiveId collective() const { return CollectiveId{number_}; }
  constexpr std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

/// A strand is blocked, or has one work item: queued for a CPU or running on one (docs/model.md,
/// section 2.2).
struct alignas(64) StrandState {
  enum class Work : std::uint8_t {
    filler,    ///< takes no time; keeps MPI calls of a rank apart, which decides ties
    burst,     ///< a compute operation
    overhead,  ///< latency paid on the CPU before the operation itself
  };
  const Operation* at = nullptr;   ///< next operation: the Program's, or of a round (`inside`)
  const Operation* end = nullptr;  ///< one past the last
  RankId rank{};
  NodeId node{};
  StrandId next_ready = kNone;
  Work work = Work::filler;
  bool overhead_paid = false;  ///< whether the overhead of the next operation has been paid
  bool loose = true;           ///< queues after others for the CPU; false: keeps its place
  bool switching = false;      ///< the CPU is busy with the context switch before the work
  bool finished = false;
  bool inside = false;  ///< runs a collective's algorithm: its PlanCursor knows the Program's operation
  Activity activity = Activity::cpu_wait;
  std::int64_t work_length = 0;  ///< ps
  std::int64_t since = 0;        ///< when `activity` began
  ActivityTimes spent{};         ///< ps, by Activity
  std::int64_t finish = 0;

  void charge(std::int64_t now, Activity next) {
    if (now != since) {
      spent[static_cast<std::size_t>(activity)] += now - since;
      since = now;
    }
    activity = next;
  }
  /// Counts `ps` of the time of its work as time that it has waited for a CPU.
  void count_as_waiting(std::int64_t ps) {
    spent[static_cast<std::size_t>(work_activity())] -= ps;
    spent[static_cast<std::size_t>(Activity::cpu_wait)] += ps;
  }
  Activity work_activity() const { return work == Work::burst ? Activity::compute : Activity::latency; }
};

/// Aligned so that indexing is a shift.
struct alignas(32) NodeState {
  StrandId ready_head = kNone, ready_tail = kNone;
  std::uint32_t busy = 0, cpus = 1;
  bool touched = false;   ///< marked for the sweep after this event
  bool switches = false;  ///< context switches take time
  bool polls = false;     ///< its strands share its CPUs in time slices; none of them is ever queued
};

/// Either messages that wait for a receive or receives that wait for a message, in order; never both: a
/// MessageId, or a RequestId if it holds requests.
struct ChannelState {
  std::uint32_t head = kNone, tail = kNone;
  bool holds_requests = false;
};

/// Sums over the messages that a rank sent.
struct SenderTotals {
  std::int64_t link_wait = 0, bus_wait = 0;
  std::uint64_t part_messages = 0, part_bytes = 0;  ///< inside collectives

  /// `total` is link_wait or bus_wait.
  void add_wait(std::int64_t SenderTotals::*total, std::int64_t ps) {
    this->*total = saturated_sum(this->*total, ps);
  }
};

/// A strand's second cursor, for a collective's algorithm: the current round, as operations.
struct PlanCursor {
  const Operation* outer = nullptr;      ///< the collective in the Program; null for a non-blocking one
  const Operation* outer_end = nullptr;  ///< StrandState::end there
  std::uint32_t collective = 0;          ///< index in the CollectivePlan
  CommunicatorId communicator{};
  std::uint32_t position = 0;  ///< of the rank
  std::uint32_t round = 0;     ///< the next one
  RequestId request = kNone;   ///< of a non-blocking collective
  std::int64_t entered = 0;    ///< ps
  ActivityTimes before{};      ///< StrandState::spent then
  std::vector<Operation> operations{};
  std::vector<RequestId> requests{};  ///< of the operations
};

/// The members that have arrived at a collective that runs as an algorithm.
struct Arrivals {
  std::uint32_t members = 0;
  std::int64_t last = 0;  ///< ps
};

/// One execution of a collective: its arrivals, and the model's state.
struct CollectiveInstance {
  struct Arrival {
    StrandId strand{};
    std::uint32_t args = 0;     ///< index into Program::collectives()
    RequestId request = kNone;  ///< of a non-blocking start
  };
  CommunicatorId communicator{};
  std::uint32_t number = 0;  ///< number of the non-blocking one on its communicator
  bool blocking = true;
  bool to_root = false;              ///< a Reduce whose members each send to the root
  std::uint32_t first_args = kNone;  ///< of the first caller; index into Program::collectives()
  std::uint32_t calls = 0;           ///< of the members, even before they are in `arrivals`
  std::uint32_t root = kNone;        ///< position in `arrivals` of the rank that has the root's part
  std::vector<Arrival> arrivals;
  std::uint64_t most_sent = 0, most_received = 0;  ///< maxima over the members, bytes
  double all_sent = 0, all_received = 0;           ///< sums over the members, bytes
  std::int64_t start = 0;                          ///< when the model let it begin
  // The model's, while it gathers resources: a member per machine, and the number of those that still wait.
  struct Representative {
    Arrival member;
    std::uint32_t machine = 0;
    MessageId standin = kNone;  ///< queues for it
    std::uint32_t buses = 0;    ///< obtained so far
  };
  std::vector<Representative> representatives;
  std::uint32_t missing = 0;
  std::uint8_t stage = 0;
};

}  // namespace busline
