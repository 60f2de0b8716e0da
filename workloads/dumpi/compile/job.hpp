// The files of all ranks of a job, compiled into one Program, in two passes over each of them.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::dumpi {

struct JobFiles {
  std::string meta;                ///< for messages
  std::vector<std::string> ranks;  ///< by rank in MPI_COMM_WORLD; empty for a rank without a file
  /// Opens one of `ranks`.
  std::function<Expected<TraceFile>(const std::string& path, Diagnostics& diagnostics, Opening how)> open;
};

/// As read_dumpi, with files from any source.
Expected<Program> compile_job(const JobFiles& files, const DumpiOptions& options, Diagnostics& diagnostics,
                              SalvageReport& salvaged);

}  // namespace busline::dumpi
