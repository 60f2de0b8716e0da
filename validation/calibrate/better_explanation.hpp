// Which of two platforms explains some suites better, where one of their settings has two values.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

/// 0 or 1: the number of the platform that predicts the points of the suites for which `counts` is true
/// better. Only points count for which both differ by a twentieth. Nothing if there are none, or if both miss
/// them by the same to within a tenth a point. Cost: two simulations of each point.
std::optional<int> better_explanation(const std::vector<measure::Suite>& suites, const Platform& first,
                                      const Platform& second,
                                      const std::function<bool(const measure::Suite&)>& counts);

}  // namespace busline::calibrate
