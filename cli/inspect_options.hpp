// The options of 'busline inspect' with their own syntax, and the file that they refer to.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/meta_file.hpp"

namespace busline::cli {

/// Records of a rank's file, which are numbered from 1.
struct RecordRange {
  std::uint64_t first = 1, last = std::numeric_limits<std::uint64_t>::max();
};

/// "10..20", "10..", "..20", "10", or ".." for all.
Expected<RecordRange> parse_record_range(std::string_view text);

/// The numbers of functions in DUMPI records, by name. An unknown name is an Error with the nearest one.
Expected<std::vector<std::uint16_t>> parse_functions(const std::vector<std::string>& names);

/// The binary file for `trace`: `trace` itself if it is one (no `rank` then), or that of `rank` in the trace
/// of a .meta file or folder. Without `rank` the trace must have one rank only.
Expected<std::string> rank_file(const std::string& trace, std::optional<std::uint32_t> rank,
                                Diagnostics& diagnostics);

/// The files of a whole trace; with `salvage` ranks may have none. An Error about a file of another format
/// lists the supported formats.
Expected<dumpi::TraceFiles> files_of_trace(const std::string& trace, bool salvage, Diagnostics& diagnostics);

}  // namespace busline::cli
