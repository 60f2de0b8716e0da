// A workload as the command line names it: a file or folder of any format that this folder reads.
#pragma once
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/files/origin.hpp"
#include "workloads/ti/read_ti.hpp"

namespace busline {

// Names of the formats that are read and written.
inline constexpr const char* kDimemasTrace = "Dimemas trace";
inline constexpr const char* kDumpiTrace = "DUMPI trace";
inline constexpr const char* kProgramFile = "Program file";
inline constexpr const char* kTiTrace = "time-independent trace";

struct Workload {
  std::string name;                ///< the last part of its path
  std::string format;              ///< kDimemasTrace, ...
  std::vector<std::string> files;  ///< what was read, in order
  Origin origin;                   ///< what a Program file says of itself
  Program program;
  SalvageReport salvaged;  ///< what was left out, with DumpiOptions::salvage
};

struct WorkloadOptions {
  DumpiOptions dumpi;  ///< for DUMPI traces only
  TiOptions ti;        ///< for time-independent traces only
  bool operator==(const WorkloadOptions&) const = default;
};

/// Reads `path`: a Dimemas trace or a Program file (both recognised by how they begin), a DUMPI .meta file, a
/// folder with exactly one .dim or .meta, or a time-independent trace: a file, a list of files or a folder
/// (ti_files). Errors are the reader's, or say which formats there are.
Expected<Workload> load_workload(const std::string& path, const WorkloadOptions& options,
                                 Diagnostics& diagnostics);

/// "DUMPI trace": the format in which load_workload would read `path`, which may be something else all the
/// same; empty if it would not. An Error says that the file cannot be read.
Expected<std::string> workload_format(const std::string& path);

/// The files that load_workload would read, in order; none if it would read nothing.
std::vector<std::string> workload_files(const std::string& path, const WorkloadOptions& options);

/// What a Program file made of `workload` should say: its format, the first of its files and the options that
/// shaped the Program; of a Program file, what it said.
Origin origin_of(const Workload& workload, const WorkloadOptions& options);

}  // namespace busline
