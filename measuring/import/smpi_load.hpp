// The saturation programs of SimGrid's platform calibration: more and more ranks send at once.
#pragma once
#include "measuring/import/suite_list.hpp"
#include "measuring/import/text_lines.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Adds the suite of the rows that `lines` has: `pairs-one-way`, `pairs-both-ways`, or the collective's over
/// ranks. A sample is the mean of the ranks' calls of the same number in a step: the longest of them grows
/// with the ranks by chance, as if they shared something. Rows do not say their step: it follows from how
/// many each rank has. Errors name the line.
Expected<void> add_smpi_load(TextLines& lines, SuiteList& list, Diagnostics& diagnostics);

}  // namespace busline::measure
