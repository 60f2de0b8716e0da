// What must hold for a measurement that was read from other people's files.
#pragma once
#include <string>

#include "measuring/measurement/measurement.hpp"

namespace busline::fuzz {

/// It is written as our document and read to the same. Empty if so; what has no points is not a measurement
/// yet.
std::string fault_in_imported(const measure::Measurement& measurement);

}  // namespace busline::fuzz
