// The replay on a DimemasNetwork, compiled for the observer of slopes alone.
#pragma once
#include "models/links_and_buses/network.hpp"
#include "models/run/simulate_options.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"
#include "sim/results/result.hpp"

namespace busline {

class SlopeObserver;  // models/slopes/slope_observer.hpp

/// The observer, if it is the only one of the whole run, else null.
SlopeObserver* only_slope(const SimulateOptions& options);

/// As replay_with(), at two fifths of the observer's cost through virtual functions.
Result replay_for_slope(DimemasNetwork& network, const Program& program, const Machine& machine,
                        const SimulateOptions& options, SlopeObserver& slope);

}  // namespace busline
