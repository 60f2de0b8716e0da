// The outcome of a replay, as a member of a document (studies/schema/result.schema.json,
// validation.schema.json).
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sim/results/result.hpp"

namespace busline {

std::string_view name_of(Result::Status status);
/// The ranks that cannot continue, and why.
nlohmann::ordered_json to_json(const std::vector<BlockedRank>& blocked);

}  // namespace busline
