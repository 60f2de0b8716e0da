// Where a prediction and a traced run differ: by call and by rank.
#pragma once
#include <string>

#include "sim/base/units.hpp"
#include "validation/compare/run_comparison.hpp"

namespace busline {

/// "+1.25 ms".
std::string signed_time(Duration d);

/// "jacobi2d on cluster", and where it was traced if that was another run set's.
std::string name_of_run(const compare::RunComparison& run);

/// Tables of the calls and of the first ranks of a run; for a replay that did not end, who waits for whom.
std::string details_text(const compare::RunComparison& run);

}  // namespace busline
