// How long a traced run took, from its trace.
#pragma once
#include <string>
#include <vector>

#include "sim/error.hpp"
#include "sim/units.hpp"
#include "validation/runs/run_set.hpp"

namespace busline::runs {

/// The time between the borders on each rank, by the wall clock of the DUMPI trace `trace` (a .meta file or
/// its folder): from when the call is left to when it is entered. 0 on a rank where `to` comes first. Errors:
/// the reader's; a call that no rank makes that often; records without wall time. Cost: reads all records.
Expected<std::vector<Duration>> trace_times(const std::string& trace, const Borders& borders);

/// The error for a call that no rank of `where` makes that often.
Error no_such_call(const std::string& where, const CallRef& call);

}  // namespace busline::runs
