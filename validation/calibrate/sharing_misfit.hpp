// The misfit between a platform and measurements of messages that share links and buses.
#pragma once
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

using Suites = std::vector<const measure::Suite*>;

/// Mean over the ranks of log(measured / predicted); nothing if it cannot be predicted. `chance` is that of
/// measured_times. Cost: a simulation.
std::optional<double> log_ratio(const measure::Suite& suite, const measure::Point& point,
                                const Platform& platform, double chance);

/// The sum over the suites, as misfit() has it for errors of spread 1, the best common offset of each suite
/// taken off at its price, which is that of one more error: a suite as a whole may be off, another benchmark.
/// 1e9 for each suite that the machine cannot run. Cost: a simulation of each point.
double sharing_misfit(const Suites& suites, const Platform& platform, double chance);

}  // namespace busline::calibrate
