// Which algorithm or closed form explains the measured times of each collective best
// (docs/calibrating-collectives.md).
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/collective.hpp"
#include "sim/error.hpp"
#include "validation/measure/measurement.hpp"

namespace busline::calibrate {

/// The choice for a range of sizes.
struct CollectiveRange {
  CollectiveCost cost;  ///< with the size that it begins at
  std::string name;     ///< of the algorithm or closed form
  double error = 0;     ///< median |log(measured / predicted)|; see docs
  std::size_t points = 0;
  std::vector<std::string> same;  ///< others with the same times at all points of the range
  std::string runner_up;          ///< the best of the rest; empty: there is none
  double runner_up_error = 0;
  bool told_apart = false;  ///< the runner-up is worse by more than the points scatter
};

struct OperationFit {
  CollectiveKind kind{};
  std::vector<CollectiveRange> ranges;  ///< ascending, the first from 0 bytes on
};

/// A measured point and what the choice predicts.
struct CollectiveResidual {
  std::string suite;
  std::uint64_t argument = 0;
  double measured_ps = 0, predicted_ps = 0;
};

struct CollectiveFit {
  std::vector<OperationFit> operations;  ///< those with measurements, in the order of CollectiveKind
  std::vector<CollectiveResidual> residuals;
  std::string barrier,
      verdict;              ///< what is taken to lead in to samples: the Barrier, and the Bcast before it
  Diagnostics diagnostics;  ///< "collectives-not-measured", "collectives-alike", "collectives-not-predicted"
};

/// `point_to_point` says what messages cost; its own table of collectives is not looked at but for a Bcast
/// that leads in and was not measured. The same arguments give the same fit. Cost: a simulation of each point
/// with each candidate, and of Barrier's and the smallest Bcast's points with each pair of candidates.
CollectiveFit fit_collectives(const std::vector<measure::Measurement>& measurements,
                              const Platform& point_to_point);

/// Puts the choices into the platform's table; operations that were not measured keep what they have.
void apply(const CollectiveFit& fit, Platform& platform);

}  // namespace busline::calibrate
