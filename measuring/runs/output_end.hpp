// The end of what a run printed, for messages.
#pragma once
#include <string>

namespace busline::runs {

/// The last lines of LABEL.err, or of LABEL.out if that is empty, each on a line of its own behind the file's
/// name; fit for a terminal. Cost: reads no more than the last 4 KiB.
std::string end_of_output(const std::string& label);

}  // namespace busline::runs
