// The metrics of a point's outcome that explain its run time (docs/how-to/studies.md).
#pragma once
#include "models/slopes/slope.hpp"
#include "models/why/critical_path.hpp"
#include "platforms/description/platform.hpp"
#include "studies/study/outcome.hpp"

namespace busline {

/// Fills in slope_* and path_*_ps of a complete run on `platform`. The parts add up to the path's total to
/// the picosecond; slopes are rounded to whole numbers. slope_byte_time stays away where the network has no
/// bandwidth of its own: of topologies, unlimited ones, and machines that differ in it.
void put_why(const CriticalPath& path, const Slope& slope, const Platform& platform, Outcome& outcome);

}  // namespace busline
