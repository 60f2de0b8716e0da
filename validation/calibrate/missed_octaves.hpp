// Where a fitted line does not follow measured messages: octave by octave of their sizes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "validation/calibrate/message_curves.hpp"

namespace busline::calibrate {

/// An octave of sizes: from a power of two to below the next one; 0 is one of its own.
struct MissedOctave {
  std::uint64_t smallest = 0, largest = 0;  ///< of the sizes that were measured
  std::size_t sizes = 0;                    ///< how many
  double ratio = 1;                         ///< measured / fitted, the median over all samples
  double low = 1, high = 1;                 ///< its quartiles
};

/// The octaves in which half of the samples are off by more than 15 %, and more than three quarters of them
/// to the same side. Scatter alone does not make a fit miss: it is on both sides. Points of kind `message`,
/// each one's result without samples; a single sample, which has no spread, is left out. `fitted_ps` gives
/// the time of a point.
std::vector<MissedOctave> missed_octaves(const std::vector<CurvePoint>& points,
                                         const std::function<double(const CurvePoint&)>& fitted_ps);

}  // namespace busline::calibrate
