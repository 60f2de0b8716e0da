// The dimemas model where messages share links and buses: the replay on a FairNetwork.
#pragma once
#include "models/dimemas/costs.hpp"
#include "models/simulate.hpp"

namespace busline {

/// As simulate(), with costs that count contention.
Expected<Result> run_fair(const Program& program, const DimemasCosts& costs, const Machine& machine,
                          const SimulateOptions& options);

}  // namespace busline
