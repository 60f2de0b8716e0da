// The links and buses with which the simulated times of one part of the machine come closest to the measured
// ones.
#pragma once
#include <utility>

#include "platforms/description/platform.hpp"
#include "validation/calibrate/shared_part.hpp"
#include "validation/calibrate/sharing_fit.hpp"

namespace busline::calibrate {

/// The best fit and its sharing_misfit; 0 without suites. Ignores the links and buses that `platform` has for
/// this part. `rendezvous_hides_duplex` is that of SharingOptions. Cost: some dozens of simulations of each
/// suite.
std::pair<ServersFit, double> fit_servers(const SharedPart& part, const Platform& platform,
                                          bool rendezvous_hides_duplex);

}  // namespace busline::calibrate
