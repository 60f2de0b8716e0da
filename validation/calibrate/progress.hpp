// Whether handshakes and non-blocking collectives move while their ranks compute
// (docs/decisions/094-rounds-wait-for-calls.md).
#pragma once
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "sim/algorithms/libraries.hpp"

namespace busline::calibrate {

/// What the suites that overlap collectives with work show: with which setting `platform`, whose other
/// figures are right, predicts them better. Collectives are those of `library`. Nothing without the suites,
/// and where both settings predict them alike: with one CPU a node and without rendezvous they are the same.
/// Cost: two simulations of each point.
std::optional<Mpi::Progress> measured_progress(const std::vector<measure::Suite>& suites,
                                               const Platform& platform,
                                               std::optional<CollectivePreset> library);

}  // namespace busline::calibrate
