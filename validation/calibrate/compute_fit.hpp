// The speed of a machine's CPUs relative to another's, and how much equal pieces of work differ.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"
#include "validation/calibrate/message_fit.hpp"

namespace busline::calibrate {

struct ComputeFit {
  std::optional<Fitted> relative_speed;  ///< nothing: there is no reference
  std::optional<double> noise;           ///< spread of the logarithm of the time of a piece of work
  std::vector<std::string> suites;
};

/// Errors (bad_input): a reference, and no fixed work in it or in `suites`, or not the same work.
Expected<ComputeFit> fit_compute(const std::vector<measure::Suite>& suites,
                                 const std::optional<measure::Measurement>& reference);

}  // namespace busline::calibrate
