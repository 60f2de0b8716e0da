// The number of buses from messages that are rendezvous both ways on a real machine
// (docs/how-to/calibration.md, "Links, buses and sharing").
#pragma once
#include "platforms/description/platform.hpp"
#include "validation/calibrate/sharing_fit.hpp"
#include "validation/calibrate/sharing_misfit.hpp"

namespace busline::calibrate {

/// Rendezvous both ways makes messages wait for others with which they share nothing, so that each step of p
/// pairs shows a lower bound alone: the messages that were under way at once, C(p) = m p (S / BW) / (fastest
/// sample), with m messages of each pair (messages_of_a_pair). The network has that many buses only if the
/// two largest steps reach the same C(p), within 5 %, and fewer than all of their messages; otherwise at
/// least as many as the largest C(p).
CountFit buses_by_capacity(const Suites& pairs, const Platform& platform);

}  // namespace busline::calibrate
