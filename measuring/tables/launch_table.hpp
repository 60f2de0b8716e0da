// How a ZiaTest suite is shown: a line for each launch, with the critical time of each phase.
#pragma once
#include <string>

#include "measuring/measurement/measurement.hpp"

namespace busline {

/// "variant seed, 4 ranks a node, an executable of 104.9 MB"
std::string to_text(const measure::LaunchSubject& launch);

/// Nodes, ranks, time, phases where they are known (docs/reference/ziatest.md), slowest rank. The suite must
/// have a launch.
std::string launch_table(const measure::Suite& suite);

}  // namespace busline
