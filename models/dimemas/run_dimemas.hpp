// The dimemas model: the replay on links and buses that messages queue for, or share.
#pragma once
#include "models/simulate.hpp"

namespace busline {

/// As simulate().
Expected<Result> run_dimemas(const Program& program, const Platform& platform, const Machine& machine,
                             const SimulateOptions& options);

}  // namespace busline
