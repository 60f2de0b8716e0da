// busline inspect --records and --header: the file of one rank, its records printed as they are read.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/inspect_options.hpp"
#include "documents/command_line/command.hpp"

namespace busline::cli {

struct RecordQuery {
  std::string trace;
  std::optional<std::uint32_t> rank;
  RecordRange range;
  std::vector<std::uint16_t> functions;  ///< empty: all
  bool full = false;                     ///< long lists and texts too
};

/// For a damaged file prints the records before the damage; the Error is what is wrong with it. Stops at
/// SIGINT and when the output is closed.
Expected<Exit> print_records(const RecordQuery& query, const Invocation& invocation);

/// The header and footer around the records, likewise.
Expected<Exit> print_header(const std::string& trace, std::optional<std::uint32_t> rank, bool full,
                            const Invocation& invocation);

}  // namespace busline::cli
