// Loads a workload as named on the command line: a file or folder in any supported format.
#pragma once
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/files/origin.hpp"
#include "workloads/goal/read_goal.hpp"
#include "workloads/liballprof/read_liballprof.hpp"
#include "workloads/paraver/read_paraver.hpp"
#include "workloads/scale_computation.hpp"
#include "workloads/ti/read_ti.hpp"

namespace busline {

// Names of the formats that are read and written.
inline constexpr const char* kDimemasTrace = "Dimemas trace";
inline constexpr const char* kDumpiTrace = "DUMPI trace";
inline constexpr const char* kGoalText = "GOAL schedule";
inline constexpr const char* kGoalBinary = "binary GOAL schedule";
inline constexpr const char* kLiballprofTrace = "liballprof trace";
inline constexpr const char* kOtf2Archive = "OTF2 archive";
inline constexpr const char* kParaverTrace = "Paraver trace";
inline constexpr const char* kProgramFile = "Program file";
inline constexpr const char* kTiTrace = "time-independent trace";

struct Workload {
  std::string name;                ///< the last part of its path
  std::string format;              ///< kDimemasTrace, ...
  std::vector<std::string> files;  ///< what was read, in order
  Origin origin;                   ///< the origin in a Program file, or the header of a Paraver trace
  Program program;
  SalvageReport salvaged;  ///< what was left out, with `salvage`
};

struct WorkloadOptions {
  DumpiOptions dumpi;               ///< for DUMPI traces only; `salvage` for Paraver traces too
  TiOptions ti;                     ///< for time-independent traces only
  GoalOptions goal;                 ///< for GOAL schedules only
  LiballprofOptions liballprof;     ///< for liballprof traces only
  ParaverOptions paraver;           ///< for Paraver traces only
  std::vector<RegionScale> scales;  ///< in all formats
  bool operator==(const WorkloadOptions&) const = default;
};

/// Reads `path`: a Dimemas or Paraver trace, a Program file, a GOAL schedule or the anchor file of an OTF2
/// archive (recognised by how they begin), a DUMPI .meta file, a time-independent trace: a file, a list of
/// files or a folder (ti_files), a liballprof trace: a folder or a rank's file (liballprof_files), or a
/// folder with exactly one .dim, .otf2, .prv or .meta. Errors are the reader's, or list the formats.
Expected<Workload> load_workload(const std::string& path, const WorkloadOptions& options,
                                 Diagnostics& diagnostics);

/// "DUMPI trace": the format in which load_workload would read `path`, which need not be valid; empty if
/// load_workload would reject it. An Error means that the file cannot be read.
Expected<std::string> workload_format(const std::string& path);

/// The files that load_workload would read, in order; none if it would read nothing.
std::vector<std::string> workload_files(const std::string& path, const WorkloadOptions& options);

/// The origin to store in a Program file made of `workload`: its format, the first of its files and the
/// options that shaped the Program; for a Program file, the origin stored there.
Origin origin_of(const Workload& workload, const WorkloadOptions& options);

}  // namespace busline
