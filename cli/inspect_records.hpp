// busline inspect --records: the records of one rank's file, printed as they are read.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/inspect_options.hpp"

namespace busline::cli {

struct RecordQuery {
  std::string trace;
  std::optional<std::uint32_t> rank;
  RecordRange range;
  std::vector<std::uint16_t> functions;  ///< empty: all
  bool full = false;                     ///< long lists and texts too
};

/// Of a damaged file prints the records before the damage; the Error is what is wrong with it. Stops at
/// SIGINT and when nobody reads any more.
Expected<Exit> print_records(const RecordQuery& query, const Invocation& invocation);

}  // namespace busline::cli
