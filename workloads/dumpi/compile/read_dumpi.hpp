// DUMPI traces (docs/reference/dumpi.md): the metafile and one binary file per rank of a real MPI run,
// compiled into a Program. Follows the file layout that libdumpi 1.0 to 13.0 writes.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/salvage/salvage_report.hpp"

namespace busline {

/// How a trace becomes a Program. The defaults reproduce the traced run as closely as the trace allows.
struct DumpiOptions {
  double compute_scale = 1;  ///< every computation lasts this times its traced duration; finite, >= 0
  /// Computation between two calls is the CPU time that passed, not the wall time: for runs with more ranks
  /// than cores. Traces without wall times always use CPU times.
  bool cpu_time = false;
  /// Receives from any source or with any tag stay open, so that the simulated order of arrival decides. By
  /// default they get the recorded sender and tag, if there are any.
  bool rematch_wildcards = false;
  /// File calls take their traced time, whatever the platform and compute_scale. By default they take no
  /// time, but collective ones still synchronise the ranks.
  bool keep_io = false;
  /// Truncated, damaged or missing files and unrecorded calls are not errors: their intact parts are used, as
  /// far as the ranks' parts fit together.
  bool salvage = false;
  bool operator==(const DumpiOptions&) const = default;
};

/// Types of the user events that a trace holds. The value identifies the function or the annotation's text,
/// is the same on all ranks (Program::event_labels), and is 0 where one ends.
inline constexpr std::uint32_t kDumpiFunctionEvent = 291;
inline constexpr std::uint32_t kDumpiAnnotationEvent = 292;

/// Reads the trace that `meta_or_folder` names: a .meta file, or a folder with exactly one.
///
/// Not simulated, and named in `diagnostics` with counts: dynamic processes (code "not-simulated") and,
/// without keep_io, the time of file calls ("file-time"). Local calls (MPI_Comm_rank, MPI_Wtime,
/// MPI_Type_commit, ...) cost nothing and are not operations of the Program. Work before MPI_Init returns or
/// after MPI_Finalize is left out. The traced run time is the time from the end of MPI_Init to the end of the
/// last call.
///
/// Errors: unreadable files; ranks without a file; damaged files (path, byte offset, record); communicators
/// on which ranks disagree; recordings that leave a receive or a collective without a partner. Memory is
/// bounded by the size of the files. Cost: two passes over the files.
///
/// With `options.salvage`: the records of each file up to the first one that is wrong count; a rank without a
/// file, or with an empty one, does nothing; and each rank ends where it would wait for a missing partner
/// (workloads/salvage/consistent_part.hpp). `salvaged` and warnings report what was left out. An Error if
/// nothing remains.
Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics, SalvageReport& salvaged);
Expected<Program> read_dumpi(const std::string& meta_or_folder, const DumpiOptions& options,
                             Diagnostics& diagnostics);

}  // namespace busline
