// Where the region of a traced run lies and how long it took, from its trace.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::runs {

/// The region on one rank, in nanoseconds of the rank's own wall clock: from when one call is left to when
/// another is entered. Where `to` comes first it is empty: begin_ns == end_ns.
struct RankSpan {
  std::string path;  ///< the rank's file
  std::int64_t begin_ns = 0, end_ns = 0;
  Duration length() const { return Duration::picoseconds(saturated_product(end_ns - begin_ns, 1000)); }
};

/// By rank, in the DUMPI trace `trace` (a .meta file or its folder). Errors: the reader's; a call that no
/// rank makes that often; records without wall time. Cost: reads all records.
Expected<std::vector<RankSpan>> trace_spans(const std::string& trace, const Borders& borders);

/// Their lengths; the longest is how long the run took.
Expected<std::vector<Duration>> trace_times(const std::string& trace, const Borders& borders);

/// The error for a call that no rank of `where` makes that often.
Error no_such_call(const std::string& where, const CallRef& call);

}  // namespace busline::runs
