// Writes a DUMPI trace again, whole or a part of it: selected ranks, a range of time.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/trace_file.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::dumpi {

/// Nanoseconds since the end of a rank's MPI_Init: calls that are entered from `from` on and before `to` are
/// in.
struct TimeRange {
  static constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();
  std::int64_t from = -kAlways, to = kAlways;
  bool is_everything() const { return from == -kAlways && to == kAlways; }
};

struct RewriteOptions {
  std::vector<std::uint32_t> ranks{};  ///< whose files are written; none: all
  TimeRange range{};
};

struct RewriteSummary {
  std::string meta;                ///< the metafile that was written
  std::vector<std::string> files;  ///< the rank files that were
  std::vector<std::string> read;   ///< metafile and rank files that they were made from
  std::uint64_t records = 0;       ///< in them
  std::uint64_t left_out = 0;      ///< calls that were not in the range
  bool stopped = false;            ///< by `progress`: nothing was written
};

/// Writes the trace that `from` names (find_trace_files) as `to`: a .meta file, beside which the rank files
/// are put, or a folder, which gets files of the same names and is made if it is not there. The files appear
/// when all are complete, the metafile last; it names all ranks of the job, whether their files are written
/// or not.
///
/// Calls outside of the range are left out and counted as not recorded. Those stay that make, tell about or
/// free what other calls use (communicators, groups, datatypes, operations, windows, files, persistent
/// requests), and MPI_Init and MPI_Finalize. What lies between two calls that remain is the time of
/// computation between them, so that nothing shifts; a message of which one end was left out has no partner
/// any more.
///
/// Without options each file is the same as before, byte for byte. Bytes that belong to no part of a file are
/// not kept, nor is compression. Errors: those of reading; a rank without a file; a range in a file without
/// times; `to` is the trace itself or has files of other ranks under the same name; writing fails.
///
/// `progress`, if any, is told the share that is done, after each rank, and stops the writing when it returns
/// false.
Expected<RewriteSummary> rewrite_trace(const std::string& from, const std::string& to,
                                       const RewriteOptions& options, Diagnostics& diagnostics,
                                       const std::function<bool(double)>& progress = {});

struct RankSummary {
  std::uint64_t records = 0, left_out = 0;
};
/// The file of one rank, as rewrite_trace does it.
Expected<RankSummary> rewrite_rank(const TraceFile& file, ByteSink& to, const TimeRange& range,
                                   Diagnostics& diagnostics);

}  // namespace busline::dumpi
