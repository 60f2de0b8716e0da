// What a platform predicts for measured points of collectives: the very kernel is simulated, with what ranks
// did before it and where they sat.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/collective.hpp"
#include "validation/measure/measurement.hpp"

namespace busline::calibrate {

/// A measured point of a collective.
struct CollectivePoint {
  const measure::Suite* suite = nullptr;
  const measure::Point* point = nullptr;
  CollectiveKind kind{};
  std::uint64_t bytes = 0;  ///< of the kernel
  std::uint32_t ranks = 0;  ///< the first of the suite's
  double measured_ps = 0;
};

/// All points of a suite that can be predicted; none of other suites than collectives.
std::vector<CollectivePoint> collective_points(const measure::Suite& suite);

/// What ranks call before each sample decides how far apart they start.
struct LeadInCosts {
  CollectiveCost barrier, bcast;
};

/// In picoseconds, as the suite defines its time, on a platform whose messages are those of `platform`.
/// Nothing if it cannot run: nodes that it has not, a deadlock. Barrier leads in with `cost` itself.
std::optional<double> predicted_ps(const CollectivePoint& point, const Platform& platform,
                                   const LeadInCosts& lead_in, const CollectiveCost& cost);

}  // namespace busline::calibrate
