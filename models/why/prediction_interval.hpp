// The uncertainty of a prediction because the machine's figures were measured.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "models/slopes/slope.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/units.hpp"

namespace busline {

struct PredictionInterval {
  Time shortest, longest;
  std::vector<std::string> figures;  ///< figures whose intervals it includes: "/network/latency"
};

/// Around `run_time`: the calibration's 95 % intervals of the network's latency and bandwidth, times the
/// slope, as independent errors (the root of the sum of squares), and `resolution` on either side. Nothing if
/// the platform has no such interval, or figures other than the calibrated ones.
std::optional<PredictionInterval> prediction_interval(const Platform& platform, Time run_time,
                                                      const Slope& slope, Duration resolution);

}  // namespace busline
