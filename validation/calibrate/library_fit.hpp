// Whether the measured times agree with the algorithms that the machine's MPI library chooses by itself
// (docs/how-to/calibrating-collectives.md).
#pragma once
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/algorithms/libraries.hpp"
#include "validation/calibrate/collective_prediction.hpp"
#include "validation/calibrate/operation_search.hpp"

namespace busline::calibrate {

/// The library's algorithm for a point, with the numbers that the suite reduced; for `dimemas` the
/// conventional form.
CollectiveCost library_cost(CollectivePreset library, const CollectivePoint& point);

/// The lead-ins of the library for the numbers of ranks in `searched`, or those searched where they explain
/// the smallest sizes of Barrier and Bcast better by more than library_doubt() a point.
LeadIns library_lead_ins(CollectivePreset library, const PointsByKind& points, const Platform& platform,
                         const LeadIns& searched);

/// The library's choices against what the search found for the operation. They hold unless the search
/// explains its points better by more than library_doubt() a point: it picks the best of many forms for each
/// range of sizes and fits what no algorithm explains, too.
LibraryFit compare_with_library(CollectivePreset library, const std::vector<CollectivePoint>& points,
                                const OperationFit& searched, const Platform& platform,
                                const LeadIns& lead_ins);

/// In |log(measured / predicted)|: 0.02 for simulated machines, which do what their table says, 0.1 for real
/// ones, which have effects that no algorithm explains; and at least how far samples lie around their middle,
/// since the last of many noisy ranks is late whatever the algorithm.
double library_doubt(CollectivePreset library, const std::vector<CollectivePoint>& points);

}  // namespace busline::calibrate
