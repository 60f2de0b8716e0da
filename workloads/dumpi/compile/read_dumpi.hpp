// DUMPI traces (docs/reference/dumpi.md): the metafile and one binary file per rank of a real MPI run,
// compiled into a Program. Follows the file layout that libdumpi 1.0 to 13.0 writes.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/salvage/salvage_report.hpp"

namespace busline {

/// How a trace becomes a Program. The defaults repeat the traced run as closely as the trace tells it.
struct DumpiOptions {
  double compute_scale = 1;  ///< every computation lasts this times its traced duration; finite, >= 0
  /// Computation between two calls is the CPU time that passed, not the wall time: for runs with more ranks
  /// than cores. Traces without wall times always use CPU times.
  bool cpu_time = false;
  /// Receives from any source or with any tag stay open, so that the simulated order of arrival decides. By
  /// default they name the sender and tag that the trace recorded, if it did.
  bool rematch_wildcards = false;
  /// Calls on files take the time that they took when the run was traced, whatever the platform and
  /// compute_scale. By default they take none, but the ranks meet in those that are collective.
  bool keep_io = false;
  /// Files that are cut, damaged or missing, and calls that were not recorded, are no errors: what is whole
  /// of them is used, as far as the ranks' parts fit together.
  bool salvage = false;
  bool operator==(const DumpiOptions&) const = default;
};

/// Types of the user events that a trace holds. The value stands for the function or the annotation's text,
/// the same on all ranks (Program::event_labels), and is 0 where one ends.
inline constexpr std::uint32_t kDumpiFunctionEvent = 291;
inline constexpr std::uint32_t kDumpiAnnotationEvent = 292;

/// Reads the trace that `meta_or_folder` names: a .meta file, or a folder with exactly one.
///
/// Not simulated, and named in `diagnostics` with counts: dynamic processes (code "not-simulated") and,
/// without keep_io, the time of calls on files ("file-time"). Local calls (MPI_Comm_rank, MPI_Wtime,
/// MPI_Type_commit, ...) cost nothing and are no operations of the Program. What is done before MPI_Init
/// returns, or after MPI_Finalize, is left out. The traced run time is the time from the end of MPI_Init to
/// the end of the last call.
///
/// Errors: unreadable files; ranks without a file; damaged files (path, byte offset, record); communicators
/// on which ranks disagree; recordings that leave a receive or a collective without its partner. Memory is
/// bounded by the size of the files. Cost: two passes over the files.
///
/// With `options.salvage`: the records of each file up to the first one that is wrong count; a rank without a
/// file, or with an empty one, does nothing; and each rank ends where it would wait for what is not there
/// (workloads/salvage/consistent_part.hpp). `salvaged` and warnings say what was left out. An Error if
/// nothing remains.
Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics, SalvageReport& salvaged);
Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics);

}  // namespace busline
