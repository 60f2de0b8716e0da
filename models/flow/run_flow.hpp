// The flow model: the replay with a solver of flows that owns the clock, in a process of its own.
#pragma once
#include "models/simulate.hpp"

namespace busline {

/// As simulate(). Errors besides: there is no solver, or its process ended (worker.hpp).
Expected<Result> run_flow(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options);

}  // namespace busline
