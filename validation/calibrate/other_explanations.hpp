// Explanations of the measurements that calibrate did not choose, but that they do not exclude
// (docs/decisions/080-other-explanations-are-kept.md).
#pragma once
#include <vector>

#include "platforms/description/platform.hpp"
#include "validation/calibrate/collectives.hpp"
#include "validation/calibrate/figures.hpp"
#include "validation/calibrate/sharing_fit.hpp"

namespace busline::calibrate {

/// Puts the figures of messages into a platform.
using SetMessages = void (*)(const Fits& fits, Platform& platform);

/// For `platform`, which has the figures of all fits.
std::vector<CalibratedAlternative> other_explanations(const Fits& fits, const CollectiveFit& collectives,
                                                      const Platform& platform, SetMessages set_messages);

}  // namespace busline::calibrate
