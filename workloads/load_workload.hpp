// A workload as the command line names it: a file or folder of any format that this folder reads.
#pragma once
#include <string>
#include <vector>

#include "sim/error.hpp"
#include "sim/program.hpp"
#include "workloads/dumpi/read_dumpi.hpp"

namespace busline {

struct Workload {
  std::string name;                ///< the last part of its path
  std::string format;              ///< "Dimemas trace", "DUMPI trace"
  std::vector<std::string> files;  ///< what was read, in order
  Program program;
  SalvageReport salvaged;  ///< what was left out, with DumpiOptions::salvage
};

struct WorkloadOptions {
  DumpiOptions dumpi;  ///< for DUMPI traces only
};

/// Reads `path`: a Dimemas trace (.dim, recognised by its first line), a DUMPI .meta file, or a folder with
/// exactly one of these. Errors are the reader's, or say which formats there are.
Expected<Workload> load_workload(const std::string& path, const WorkloadOptions& options,
                                 Diagnostics& diagnostics);

}  // namespace busline
