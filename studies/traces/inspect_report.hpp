// The output of 'busline inspect' for a workload: a page of text, or a document "busline/workload/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/base/error.hpp"
#include "workloads/files/origin.hpp"
#include "workloads/statistics/statistics.hpp"

namespace busline {

struct InspectReport {
  std::string workload, format;
  Origin origin;  ///< of a Program file: where it came from
  WorkloadStatistics statistics;
  Diagnostics diagnostics;
};

/// Everything counted, including pairs of ranks, the largest number of bytes first.
nlohmann::ordered_json to_json(const InspectReport& report);
/// A page: the busiest calls, message sizes and pairs of ranks, and the spread over ranks.
std::string to_text(const InspectReport& report);

}  // namespace busline
