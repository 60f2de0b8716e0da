// What was left out of a damaged trace, as a member of a document (studies/schema/result.schema.json).
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "workloads/salvage/salvage_report.hpp"

namespace busline {

nlohmann::ordered_json to_json(const SalvageReport& report);

}  // namespace busline
