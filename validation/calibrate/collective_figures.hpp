// A calibrated platform's remarks on its collectives.
#pragma once
#include <vector>

#include "platforms/description/calibration_record.hpp"
#include "validation/calibrate/collectives.hpp"

namespace busline::calibrate {

/// A figure for each operation that was measured, is known, or is as its sibling.
std::vector<CalibratedFigure> tell(const CollectiveFit& fit, const std::vector<Sibling>& siblings);

}  // namespace busline::calibrate
