// Writes workloads to files: the available formats, chosen by the end of the file's name.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/goal/write_goal.hpp"
#include "workloads/load_workload.hpp"

namespace busline {

/// The arguments of a writer.
struct WriteRequest {
  const Workload& workload;
  const Origin& origin;  ///< kept where the format has a place for it
  const std::string& path;
  Diagnostics& diagnostics;                     ///< reports what the format leaves out
  const std::function<bool(double)>& progress;  ///< may be empty; see write_workload
  const GoalOutput& goal;                       ///< for GOAL schedules only
};

struct OutputFormat {
  const char* name;       ///< kDimemasTrace, ...
  const char* extension;  ///< ".dim"
  const char* limits;     ///< what it cannot hold, in a few words
  Expected<bool> (*write)(const WriteRequest& request);
};
/// All formats.
std::span<const OutputFormat> output_formats();
/// The format of a file with this name, or nullptr.
const OutputFormat* output_format(const std::string& path);
/// ".dim or .program", for messages.
std::string output_extensions();

/// Writes `workload` to `path` in the format of its name; `origin` is kept where the format has a place for
/// it. An existing file stays until all is written, and is then replaced. `progress`, if any, is called with
/// the completed share and stops the writing by returning false; the result is then false. `diagnostics`
/// reports what a format leaves out; what it cannot hold is an Error, and so is a name of an unknown format.
/// `goal` is for GOAL schedules only.
Expected<bool> write_workload(const Workload& workload, const Origin& origin, const std::string& path,
                              Diagnostics& diagnostics, const std::function<bool(double)>& progress = {},
                              const GoalOutput& goal = {});

}  // namespace busline
