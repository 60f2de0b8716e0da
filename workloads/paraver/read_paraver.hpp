// Paraver traces (docs/reference/paraver.md), as Extrae writes them of real runs: a .prv file with the
// records, and beside it a .pcf and a .row file with names.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/origin.hpp"
#include "workloads/salvage/salvage_report.hpp"

namespace busline {

struct ParaverOptions {
  /// Number of the application to read, from 1. By default the one with MPI calls; an Error if several have
  /// such.
  std::optional<std::uint32_t> application;
  /// A line that is wrong ends the trace instead of being an error, and each rank ends where it would wait
  /// for what the trace lacks.
  bool salvage = false;
  bool operator==(const ParaverOptions&) const = default;
};

struct ParaverTrace {
  Program program;
  Origin header;           ///< what the header and the records say of the run, for a reader
  SalvageReport salvaged;  ///< with ParaverOptions::salvage
};

/// Whether a file begins as a Paraver trace.
bool looks_like_paraver(std::string_view text);

/// The files of a trace: `path` and those beside it that exist, .pcf and .row.
std::vector<std::string> paraver_files(const std::string& path);

/// Warnings (`diagnostics`) name with their counts: threads without MPI calls, sends and receives without a
/// message, messages outside of calls, calls that are cut or not simulated, times when the tracer wrote its
/// buffer or was off.
///
/// Errors: unreadable files; lines that are no records (path, line, column); records that are not in the
/// order of time; messages to another application; one-sided transfers, whose sizes are not recorded. Memory:
/// 24 bytes for each call and each operation, 56 for each message, beside the text of a compressed file.
/// Cost: two passes over the text.
Expected<ParaverTrace> read_paraver(const std::string& path, const ParaverOptions& options,
                                    Diagnostics& diagnostics);

/// The same of texts: those of the .prv, .pcf and .row files; the last two may be empty.
struct ParaverTexts {
  std::string_view prv, pcf, row;
};
Expected<ParaverTrace> read_paraver_texts(const ParaverTexts& texts, const std::string& path,
                                          const ParaverOptions& options, Diagnostics& diagnostics);

}  // namespace busline
