// busline inspect --stats: what a DUMPI trace says about the traced run.
#pragma once
#include <string>

#include "documents/command_line/command.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"

namespace busline::cli {

struct StatisticsQuery {
  std::string trace;       ///< a .meta file, a folder with one, or the .bin file of a single rank
  bool all_ranks = false;  ///< on the page, too
  DumpiOptions options;    ///< for the results from all ranks together
};

Expected<Exit> print_statistics(const StatisticsQuery& query, const Invocation& invocation);

}  // namespace busline::cli
