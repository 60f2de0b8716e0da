// A measurement as a page for people: a table for each suite.
#pragma once
#include <string>

#include "measuring/measurement/measurement.hpp"

namespace busline {

/// Results in one unit a suite, with what there is to say about each: how precise, how many samples, whether
/// it was refined, interpolated, not settled, and after merging how far the runs are apart.
std::string to_text(const measure::Measurement& measurement);

/// A line for each suite: points, range, smallest and largest result. For documents that went to a file.
std::string summary_text(const measure::Measurement& measurement);

}  // namespace busline
