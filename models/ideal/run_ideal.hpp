// The ideal model: the same costs without contention.
#pragma once
#include "models/simulate.hpp"

namespace busline {

/// As simulate(). Without a queue of events where order cannot matter and nobody watches more than a region.
Expected<Result> run_ideal(const Program& program, const Platform& platform, const Machine& machine,
                           const SimulateOptions& options);

}  // namespace busline
