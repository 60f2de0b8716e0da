// A trace's metafile, and where the files of its ranks are.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/error.hpp"

namespace busline::dumpi {

/// The files of a trace.
struct TraceFiles {
  std::string meta;
  std::vector<std::string> ranks;  ///< by rank in MPI_COMM_WORLD; empty for one that has no file
};

/// Reads the metafile that `meta_or_folder` names: itself, or the only .meta file of a folder. Rank files are
/// looked for under the metafile's `fileprefix`, absolute or relative to its folder, then, since traces get
/// moved and renamed, under the same file name or the metafile's own name in its folder; their numbers may
/// have 1 to 9 digits. All of them may be compressed, with .gz or .xz behind their names. Ranks without a file
/// are named in an Error, unless they `may_lack` (but not if nearly all of them have none).
Expected<TraceFiles> find_trace_files(const std::string& meta_or_folder, Diagnostics& diagnostics,
                                      bool may_lack = false);

}  // namespace busline::dumpi
