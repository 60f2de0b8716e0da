// Workloads written as files: the formats that there are, chosen by how the file's name ends.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/load_workload.hpp"

namespace busline {

/// What a writer needs to know.
struct WriteRequest {
  const Workload& workload;
  const Origin& origin;  ///< kept where the format has a place for it
  const std::string& path;
  Diagnostics& diagnostics;                     ///< for what the format leaves out
  const std::function<bool(double)>& progress;  ///< may be empty; see write_workload
};

struct OutputFormat {
  const char* name;       ///< kDimemasTrace, ...
  const char* extension;  ///< ".dim"
  const char* limits;     ///< what it cannot hold, in a few words
  Expected<bool> (*write)(const WriteRequest& request);
};
/// All of them.
std::span<const OutputFormat> output_formats();
/// The one that a file of this name has, or nullptr.
const OutputFormat* output_format(const std::string& path);
/// ".dim or .program", for messages.
std::string output_extensions();

/// Writes `workload` to `path` in the format of its name; `origin` is kept where the format has a place for
/// it. A file that was there before is replaced when all is written; until then, and if it never is, it
/// stays. `progress`, if any, is told the share that is done and stops the writing when it returns false; the
/// result then is false. What a format leaves out is told in `diagnostics`; what it cannot hold is an Error,
/// as is a name of no format.
Expected<bool> write_workload(const Workload& workload, const Origin& origin, const std::string& path,
                              Diagnostics& diagnostics, const std::function<bool(double)>& progress = {});

}  // namespace busline
