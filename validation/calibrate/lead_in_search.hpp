// The calls before each sample of a collective: the Barrier, and the Bcast of a verdict before it. They
// decide how far apart ranks start (docs/how-to/calibrating-collectives.md).
#pragma once
#include "platforms/description/platform.hpp"
#include "validation/calibrate/collective_prediction.hpp"
#include "validation/calibrate/known_algorithms.hpp"

namespace busline::calibrate {

/// For each number of ranks that points have. Without times of a Bcast or a Barrier: the known algorithm,
/// otherwise the platform's. Cost: a simulation of Barrier's and the smallest Bcast's points with each pair
/// of candidates.
LeadIns find_lead_ins(const PointsByKind& points, const Platform& platform, const KnownAlgorithms& known);

}  // namespace busline::calibrate
