// GOAL schedules as text: the grammar of txt2bin (docs/reference/goal.md).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "workloads/goal/place.hpp"
#include "workloads/goal/rank_graph.hpp"

namespace busline::goal {

/// Calls `begin` with the number of ranks, then `take` for each rank in order. Stops at the first Error, also
/// one that `take` returns.
Expected<void> read_text(std::string_view text, const std::string& path,
                         const std::function<void(std::uint32_t ranks)>& begin,
                         const std::function<Expected<void>(const RankGraph&, const GoalPlaces&)>& take);

}  // namespace busline::goal
