// Message sizes and pairs of ranks, as tables of a page and as lists of a document.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workloads/statistics/statistics.hpp"

namespace busline {

/// Empty without messages.
std::string sizes_text(const std::vector<WorkloadStatistics::SizeClass>& sizes);
/// The pairs with most bytes; `bytes` and `ranks` are those of the workload.
std::string pairs_text(const std::vector<WorkloadStatistics::Pair>& pairs, std::uint64_t bytes,
                       std::uint32_t ranks);

nlohmann::ordered_json sizes_json(const std::vector<WorkloadStatistics::SizeClass>& sizes);
nlohmann::ordered_json pairs_json(const std::vector<WorkloadStatistics::Pair>& pairs);

}  // namespace busline
