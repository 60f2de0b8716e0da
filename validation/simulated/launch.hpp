// ZiaTest on the simulated machine: when each rank is through each phase of a job's launch.
#pragma once
#include <functional>
#include <string>

#include "measuring/measurement/launch_times.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline::ziatest {

/// Ranks of a job that can be launched: with a daemon for each they take about 1 kB each.
inline constexpr std::uint32_t kMostLaunchRanks = 1U << 24U;

/// Launches `job` on the first nodes of `platform`, with what its `launch` says, on an idle network. `model`
/// is one of model_names(). `progress`, if any, is told the share that is done, and interrupts when it
/// returns false; there are no stamps then. An Error if there are too few nodes, too many ranks, or if sizes
/// or times overflow. Cost: about 1 us for each message of the launch.
Expected<LaunchTimes> simulate_launch(const Platform& platform, const std::string& model,
                                      const LaunchJob& job, const std::function<bool(double)>& progress = {});

}  // namespace busline::ziatest
