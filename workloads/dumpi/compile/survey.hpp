// The first pass over a rank's records: checks all of them, and gathers the facts that compiling any of them
// needs: communicators, outcomes of open receives, whether there are several threads.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "workloads/dumpi/compile/communicator_log.hpp"
#include "workloads/dumpi/compile/notices.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::dumpi {

/// How a non-blocking operation ended, where its own record does not show it.
struct Fate {
  enum class Kind : std::uint8_t {
    received,      ///< an open receive got a message from `source` with `tag` (-1: not recorded)
    null_process,  ///< a receive from MPI_PROC_NULL, which in some traces looks like MPI_ANY_SOURCE
    cancelled,
    never_waited,  ///< a send that no recorded call completes
  };
  std::uint32_t operation = 0;  ///< as RequestTable numbers them
  Kind kind = Kind::received;
  std::int32_t source = -1, tag = -1;
};

struct RankSurvey {
  std::uint64_t records = 0;  ///< read and valid
  /// What stopped the reading before the end of the records, or a number of records other than the file
  /// states.
  std::optional<Error> stop;
  CommunicatorLog communicators;
  std::vector<Fate> fates;       ///< by ascending operation
  std::uint64_t operations = 0;  ///< about as many will be made of the records
  bool several_threads = false;
  bool has_init = false, has_finalize = false;
  std::optional<Duration> run_time;  ///< from the end of MPI_Init to the begin of MPI_Finalize, or else the
                                     ///< end of the last call; wall clock
  /// Calls that were made but not recorded, by function.
  std::vector<std::pair<std::uint16_t, std::uint32_t>> ignored;
};

/// The rank that a file should belong to, by its name and the metafile.
struct RankInJob {
  std::uint32_t rank = 0, ranks = 1;
};

/// Reads all records of `file`, or those before the first wrong one; checks the records against `place`, if
/// it is known.
RankSurvey survey_rank(const TraceFile& file, std::optional<RankInJob> place, Notices& notices);

}  // namespace busline::dumpi
