// A trace's metafile, and the places of its rank files.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/version.hpp"

namespace busline::dumpi {

/// The contents of a metafile; missing entries are not set. A reader needs only the first two.
struct MetaFile {
  std::optional<std::uint32_t> ranks;
  std::string prefix;  ///< of the rank files' names; may have a folder
  std::optional<std::string> host, user;
  std::optional<std::uint64_t> start_time;  ///< seconds since 1970
  std::optional<Version> version;
};

/// The file may be compressed. Unknown keys are ignored.
Expected<MetaFile> read_meta_file(const std::string& path);
/// The content of the file, key by key in the order in which libdumpi writes them.
std::string to_text(const MetaFile& meta);

/// The files of a trace.
struct TraceFiles {
  std::string meta;
  std::vector<std::string> ranks;  ///< by rank in MPI_COMM_WORLD; empty for a rank without a file
};

/// The files PREFIX-*.bin, by rank: they may be compressed, and their numbers have 1 to 9 digits. If a rank
/// has several, names with 4 digits and uncompressed files take precedence.
std::map<std::uint32_t, std::string> rank_files(const std::string& prefix);

/// Reads the metafile that `meta_or_folder` names: itself, or the only .meta file of a folder. It looks for
/// rank files under the metafile's `fileprefix`, absolute or relative to its folder, and then, since traces
/// get moved and renamed, under the same file name or the metafile's own name in its folder; their numbers
/// may have 1 to 9 digits. All of them may be compressed, with .gz or .xz after their names. An Error names
/// the ranks without a file, unless they `may_lack` (but not if nearly all files are missing).
Expected<TraceFiles> find_trace_files(const std::string& meta_or_folder, Diagnostics& diagnostics,
                                      bool may_lack = false);

/// Whether `path` is named like the binary file of a rank and is not a folder.
bool is_rank_file(const std::string& path);

}  // namespace busline::dumpi
