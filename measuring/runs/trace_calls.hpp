// How long the calls of a traced run took, from its trace.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::runs {

/// By the name of the call: from where its calls were entered to where they were left.
using CallTimes = std::map<std::string, Duration, std::less<>>;

/// The region of a rank and what of it passed in calls, of all threads together.
struct TracedRank {
  Duration span;
  CallTimes calls;
};

/// By rank, in the DUMPI trace `trace` (a .meta file or its folder). For a call that crosses a border the
/// part inside counts. Errors are those of trace_spans. Cost: reads all records twice.
Expected<std::vector<TracedRank>> trace_calls(const std::string& trace, const Borders& borders);

}  // namespace busline::runs
