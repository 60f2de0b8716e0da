// The outcome of a replay, as a member of a document (studies/schema/result.schema.json,
// validation.schema.json).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "documents/fields/names.hpp"
#include "sim/results/result.hpp"

namespace busline {

inline constexpr Names<Result::Status, 4> kStatusNames{{{"complete", Result::Status::complete},
                                                        {"deadlock", Result::Status::deadlock},
                                                        {"clock-overflow", Result::Status::clock_overflow},
                                                        {"interrupted", Result::Status::interrupted}}};
std::string_view name_of(Result::Status status);
/// The ranks that cannot continue, and why.
void describe(Fields& f, BlockedRank& blocked);
nlohmann::ordered_json to_json(const std::vector<BlockedRank>& blocked);

}  // namespace busline
