// Statistics of the traced run in a DUMPI trace: the functions called, their times, the data that they moved.
// Records are counted as they are, without compiling or simulating them, so this also works for partial
// traces.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/statistics/statistics.hpp"

namespace busline {

/// Times are in nanoseconds of the traced machine, 0 where the trace has none. The *run* of a rank is the
/// time from the end of its MPI_Init to the begin of its MPI_Finalize; where a record of these is missing,
/// from its first call or to the end of its last one.
struct CallStatistics {
  /// Sizes of calls that name data: for sends the message, for receives the size in the recorded status, for
  /// other calls the send buffer or else the receive buffer, from the rank's own arguments.
  struct Sizes {
    std::uint64_t calls = 0;  ///< with a known size
    std::uint64_t unknown =
        0;  ///< others: receives without a status, types without a record of their creation
    std::uint64_t bytes = 0, least = 0, most = 0;
  };
  struct Function {
    std::string_view name;
    std::uint64_t calls = 0;         ///< recorded, over all ranks
    std::uint64_t not_recorded = 0;  ///< made while recording was off
    std::uint64_t wall_ns = 0, longest_ns = 0, cpu_ns = 0;
    std::uint64_t run_ns = 0;  ///< the part of wall_ns within the ranks' runs
    bool collective = false;
    Sizes sizes;
  };
  struct Rank {
    std::string path;
    std::uint64_t calls = 0, threads = 0;
    std::int64_t first_ns = 0, last_ns = 0;  ///< on the rank's own wall clock
    std::uint64_t run_ns = 0;
    std::uint64_t mpi_ns = 0, outside_ns = 0;  ///< inside and between calls of a thread, summed over threads
    std::uint64_t cpu_ns = 0, cpu_mpi_ns = 0;  ///< in the run, and the part of it inside calls
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t messages_received = 0, bytes_received = 0;  ///< by status
    std::uint64_t receives_without_size = 0;                  ///< whose status was not recorded
  };
  /// Communicators by origin: "MPI_COMM_WORLD", "MPI_Comm_split", or "" if unknown.
  struct Communicator {
    std::string_view made_by;
    std::uint64_t made = 0;                       ///< how many, summed over ranks; 0 for predefined ones
    std::uint64_t messages = 0, collectives = 0;  ///< that were sent, and calls of collectives
    std::uint64_t bytes = 0;                      ///< of both
  };
  /// Datatypes of data with a known size: predefined ones by name, others by the call that made them, "" if
  /// unknown.
  struct Datatype {
    std::string_view made_by;
    std::uint64_t calls = 0, bytes = 0;
    std::uint64_t least_size = 0, most_size = 0;  ///< of one element
  };

  std::uint64_t calls = 0, messages = 0, bytes = 0;  ///< recorded calls; messages sent
  std::uint32_t ranks_with_wall = 0, ranks_with_cpu = 0;
  std::vector<Function> functions;                           ///< most time first, then most calls
  std::vector<Rank> ranks;                                   ///< in the order of the files
  std::vector<WorkloadStatistics::SizeClass> message_sizes;  ///< ascending, empty classes left out
  std::vector<Communicator> communicators;                   ///< most bytes first
  std::vector<Datatype> datatypes;                           ///< most bytes first
};

/// Reads all records of `rank_files`, one for each rank. An Error for a file that cannot be read or is
/// damaged. With `salvage` the records before the damage count, and a rank whose path is empty or whose file
/// cannot be opened has none; a warning ("salvaged") says so. Cost: one pass over the files; memory grows
/// with outstanding requests only.
Expected<CallStatistics> read_call_statistics(const std::vector<std::string>& rank_files, bool salvage,
                                              Diagnostics& diagnostics);

}  // namespace busline
