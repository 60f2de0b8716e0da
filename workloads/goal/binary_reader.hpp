// GOAL schedules in txt2bin's binary form (docs/reference/goal.md).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "workloads/goal/place.hpp"
#include "workloads/goal/rank_graph.hpp"

namespace busline::goal {

/// As read_text; `begin` is also told how many operations a Program of the schedule has, estimated.
Expected<void> read_binary(std::string_view bytes, const std::string& path,
                           const std::function<void(std::uint32_t ranks, std::uint64_t operations)>& begin,
                           const std::function<Expected<void>(const RankGraph&, const GoalPlaces&)>& take);

}  // namespace busline::goal
