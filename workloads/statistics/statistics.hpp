// Counts the contents of a workload: calls, messages, bytes, communication pairs. Nothing is simulated.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct WorkloadStatistics {
  struct Call {
    std::string name;
    std::uint64_t count = 0;  ///< over all ranks
  };
  struct Collective {
    CollectiveKind kind = CollectiveKind::barrier;
    std::uint64_t count = 0;        ///< summed over ranks: one Barrier of 8 ranks is 8
    std::uint64_t least_bytes = 0;  ///< per peer, over all calls: the listed sizes, or the larger of
                                    ///< sent and received
    std::uint64_t most_bytes = 0;
  };
  /// Messages of at least `from` and less than twice `from` bytes; the first class holds the empty ones.
  struct SizeClass {
    std::uint64_t from = 0;
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Pair {
    std::uint32_t source = 0, destination = 0;
    std::uint64_t messages = 0, bytes = 0;
  };
  struct Rank {
    std::uint64_t operations = 0, calls = 0, collectives = 0;
    std::uint64_t messages_sent = 0, bytes_sent = 0, messages_received = 0, bytes_received = 0;
    Duration compute;  ///< on the traced machine, summed over the rank's strands
  };

  std::uint32_t ranks = 0;
  std::uint64_t strands = 0, operations = 0, messages = 0, bytes = 0;
  std::uint64_t open_receives = 0;  ///< with MPI_ANY_SOURCE or MPI_ANY_TAG
  std::optional<Duration> traced_run_time;
  std::vector<Call> calls;                        ///< most frequent first
  std::vector<Call> regions;                      ///< user regions entered, by name, most frequent first
  std::vector<Collective> collectives;            ///< in the order of CollectiveKind
  std::vector<SizeClass> message_sizes;           ///< ascending, empty classes left out
  std::vector<Pair> pairs;                        ///< most bytes first
  std::vector<std::uint32_t> communicator_sizes;  ///< by communicator
  std::vector<Rank> per_rank;
};

/// Counts the contents of `program`. Receives count the bytes sent to them, not the size of their buffers.
/// Cost: linear in the operations, plus sorting the pairs of ranks.
WorkloadStatistics statistics_of(const Program& program);

}  // namespace busline
