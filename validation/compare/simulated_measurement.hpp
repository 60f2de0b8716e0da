// What a measurement would have been on a simulated machine: the same suites, between the same ranks.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline::compare {

struct SimulatedMeasurement {
  measure::Measurement measurement;  ///< of the suites that could be simulated
  /// Others, and why: launches, computation of a real CPU, and what a model cannot carry out.
  struct LeftOut {
    std::string suite, why;
  };
  std::vector<LeftOut> left_out;
  bool interrupted = false;
};

/// Is asked between points, with the share of suites that are done; false: simulate no more.
using SimulationProgress = std::function<bool(double)>;

/// Measures on `platform` what `real` measured: each suite at its arguments, with its ranks where they sat.
/// Errors: ranks of which suites say different nodes, ranks that do not fit on the platform, an unknown
/// model.
Expected<SimulatedMeasurement> simulate_measurement(const measure::Measurement& real,
                                                    const Platform& platform, const std::string& model,
                                                    const SimulationProgress& progress);

}  // namespace busline::compare
