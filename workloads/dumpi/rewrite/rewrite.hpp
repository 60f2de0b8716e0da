// Rewrites a DUMPI trace, in full or in part: selected ranks, a time range.
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

/// Nanoseconds since the end of a rank's MPI_Init: it includes calls entered at or after `from` and before
/// `to`.
struct TimeRange {
  static constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::max();
  std::int64_t from = -kAlways, to = kAlways;
  bool is_everything() const { return from == -kAlways && to == kAlways; }
};

struct RewriteOptions {
  std::vector<std::uint32_t> ranks{};  ///< whose files are written; empty: all
  TimeRange range{};
};

struct RewriteSummary {
  std::string meta;                ///< the new metafile
  std::vector<std::string> files;  ///< the new rank files
  std::vector<std::string> read;   ///< the original metafile and rank files
  std::uint64_t records = 0;       ///< in them
  std::uint64_t left_out = 0;      ///< calls outside of the range
  bool stopped = false;            ///< by `progress`: nothing was written
};

/// Writes the trace that `from` names (find_trace_files) as `to`: a .meta file, beside which the rank files
/// are put, or a folder, which gets files of the same names and is created if it does not exist. The files
/// appear when all are complete, the metafile last; it names all ranks of the job, whether or not their files
/// are written.
///
/// Calls outside of the range are left out and counted as not recorded. Calls that create, query or free
/// objects of other calls (communicators, groups, datatypes, operations, windows, files, persistent requests)
/// stay, and so do MPI_Init and MPI_Finalize. The time between two remaining calls becomes computation, so
/// that nothing shifts; a message with one end left out has lost its partner.
///
/// Without options each file is the same as before, byte for byte. Bytes that belong to no part of a file are
/// not kept, nor is compression. Errors: those of reading; a rank without a file; a range in a file without
/// times; `to` is the trace itself or has files of other ranks under the same name; writing fails.
///
/// `progress`, if any, is called with the completed share after each rank, and stops the writing by returning
/// false.
Expected<RewriteSummary> rewrite_trace(const std::string& from, const std::string& to,
                                       const RewriteOptions& options, Diagnostics& diagnostics,
                                       const std::function<bool(double)>& progress = {});

struct RankSummary {
  std::uint64_t records = 0, left_out = 0;
};
/// Rewrites the file of one rank, as rewrite_trace does.
Expected<RankSummary> rewrite_rank(const TraceFile& file, ByteSink& to, const TimeRange& range,
                                   Diagnostics& diagnostics);

}  // namespace busline::dumpi
