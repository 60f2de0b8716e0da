// Traces of other run sets than those whose times count: a program that was traced on one machine is
// predicted for another. docs/how-to/validating.md says which runs belong together.
#pragma once
#include <span>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::compare {

/// A run set with the times, and the one with the trace. Neither is owned.
struct TracedRuns {
  const runs::RunSet* timed = nullptr;
  const runs::RunSet* traced = nullptr;  ///< nothing: `timed` itself
};

/// Those of `timed` of which `traced` has a trace: of the same program, on as many ranks; if there are
/// several, the one with the same arguments. The others are named in a warning, and so are runs with other
/// arguments than were traced. Errors: no trace fits any run; two traces fit a run equally well. Cost: timed
/// x traced.
Expected<std::vector<TracedRuns>> traces_from(std::span<const runs::RunSet> traced,
                                              std::span<const runs::RunSet> timed, Diagnostics& diagnostics);

}  // namespace busline::compare
