// The output of 'busline inspect --stats' for a DUMPI trace: a page of text, or a document
// "busline/trace-statistics/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/dumpi/statistics/call_statistics.hpp"
#include "workloads/statistics/statistics.hpp"

namespace busline {

struct TraceStatisticsReport {
  std::string trace;
  bool one_file = false;  ///< of one rank of a job
  CallStatistics calls;
  /// What can be known only from all ranks together: which ranks communicate, the bytes sent to each,
  /// communicators.
  std::optional<WorkloadStatistics> job;
  std::string without_job;  ///< why there is no `job`
  Diagnostics diagnostics;
};

/// Everything that was counted. Times are in nanoseconds, as in the trace.
nlohmann::ordered_json to_json(const TraceStatisticsReport& report);
/// A page; shows only the first of many ranks unless `all_ranks`.
std::string to_text(const TraceStatisticsReport& report, bool all_ranks);

}  // namespace busline
