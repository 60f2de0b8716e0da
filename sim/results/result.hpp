// The result of one simulated run. Plain values; cli turns them into tables and JSON.
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"
#include "sim/results/resource_id.hpp"

namespace busline {

/// How a rank spent its time. compute + latency + wait + collective_wait + collective + cpu_wait = its end.
struct RankTimes {
  Duration compute;          ///< CPU bursts
  Duration latency;          ///< latency and overheads paid on the CPU
  Duration wait;             ///< blocked in point-to-point calls
  Duration collective_wait;  ///< in a collective, until all had arrived and the buses were free
  Duration collective;       ///< in a collective, from then on
  Duration cpu_wait;         ///< ready, but the node's CPUs were taken

  /// Saturates: each strand of a rank may take as long as the clock goes.
  RankTimes& operator+=(const RankTimes& o) {
    const auto add = [](Duration& sum, Duration d) {
      sum = Duration::picoseconds(saturated_sum(sum.count(), d.count()));
    };
    add(compute, o.compute);
    add(latency, o.latency);
    add(wait, o.wait);
    add(collective_wait, o.collective_wait);
    add(collective, o.collective);
    add(cpu_wait, o.cpu_wait);
    return *this;
  }
  friend RankTimes operator-(RankTimes a, const RankTimes& b) {
    a.compute += Duration{} - b.compute;
    a.latency += Duration{} - b.latency;
    a.wait += Duration{} - b.wait;
    a.collective_wait += Duration{} - b.collective_wait;
    a.collective += Duration{} - b.collective;
    a.cpu_wait += Duration{} - b.cpu_wait;
    return a;
  }
};

struct RankResult {
  std::uint32_t node = 0;
  Time start;  ///< OpKind::start; its times begin here
  Time end;
  RankTimes times;
  Duration link_wait;  ///< sum over the messages this rank sent
  Duration bus_wait;   ///< likewise
  std::uint64_t messages_sent = 0, bytes_sent = 0;
  std::uint64_t collective_messages = 0, collective_bytes = 0;  ///< sent inside algorithms
  std::uint64_t repetitions = 0;                                ///< complete ones of OpKind::again
  Time repeated_until;                                          ///< the end of the last one
};

/// A group of equal servers: the buses of a machine, or the links or memory buses of a node.
struct ResourceResult {
  ResourceId id;               ///< its text: resource_name.hpp
  std::uint64_t capacity = 0;  ///< 0: unlimited
  Duration busy;               ///< summed over the servers
  Duration wait;               ///< summed over the messages that queued here
  std::uint64_t messages = 0;
  std::uint64_t peak_queue = 0;
  std::string label{};  ///< of a ResourceKind::switch_link: its ends; of ResourceKind::other: its name
};

/// A rank that cannot continue, for the deadlock report.
struct BlockedRank {
  std::uint32_t rank = 0;
  std::uint64_t call_number = 0;  ///< from 1, as 'inspect' counts
  std::string call;               ///< "MPI_Recv"
  std::string waits_for;          ///< "a message from rank 3, tag 7, communicator 0"
};

/// The part of the run between two calls or two instants (simulate --from/--to, --time-range).
struct RegionResult {
  Duration run_time;  ///< the longest over ranks
  std::vector<RankTimes> ranks;
  /// By strand, then by call as in Program::call_names(): the time from entry to exit of its calls, as far as
  /// that lies in the region. Empty unless SimulateOptions::call_times.
  std::vector<std::vector<Duration>> call_times{};
};

/// The time at which a rank reached a mark of its Program (OpKind::mark).
struct MarkedTime {
  std::uint32_t rank = 0;
  std::uint32_t label = 0;
  Time time;
  auto operator<=>(const MarkedTime&) const = default;
};

/// By rank; those of a rank in the order in which it reached them.
inline std::vector<MarkedTime> by_rank(std::vector<MarkedTime> marks) {
  std::stable_sort(marks.begin(), marks.end(),
                   [](const MarkedTime& a, const MarkedTime& b) { return a.rank < b.rank; });
  return marks;
}

/// Collectives of one operation whose closed form takes less time than their bytes need on a node's links.
struct BelowLinkBound {
  CollectiveKind kind{};
  std::uint64_t calls = 0;  ///< closed forms of this operation in the run
  std::uint64_t below = 0;  ///< those that are too fast
  Duration time, least;     ///< what these take, and what their bytes need: sums
};

/// The result of one run.
struct Result {
  enum class Status { complete, deadlock, clock_overflow, interrupted };
  Status status = Status::complete;
  Time run_time;  ///< when the last rank ended
  std::uint64_t operations = 0, events = 0, messages = 0, bytes = 0;
  std::uint64_t collective_messages = 0, collective_bytes = 0;  ///< inside algorithms, in addition
  std::vector<RankResult> ranks;
  std::vector<ResourceResult> resources;
  std::vector<BlockedRank> blocked;
  std::optional<RegionResult> region;
  std::vector<MarkedTime> marks;                 ///< in the order of by_rank()
  std::vector<BelowLinkBound> below_link_bound;  ///< by operation; empty without contention
};

}  // namespace busline
