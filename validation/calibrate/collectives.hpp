// Which algorithm or closed form explains the measured times of each collective best
// (docs/how-to/calibrating-collectives.md).
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/program/collective.hpp"
#include "validation/calibrate/collective_prediction.hpp"
#include "validation/calibrate/known_algorithms.hpp"
#include "validation/calibrate/operation_search.hpp"

namespace busline::calibrate {

struct CollectiveOptions {
  KnownAlgorithms known;                    ///< not searched for
  std::optional<CollectivePreset> library;  ///< whose choices are expected; none: all are searched for
};

struct CollectiveFit {
  std::vector<OperationFit> operations;  ///< those with measurements, in the order of CollectiveKind
  CollectiveOptions options;
  LeadIns lead_ins;  ///< the assumed calls before samples
  Diagnostics
      diagnostics;  ///< "collectives-not-measured", "-alike", "-not-predicted", "-by-ranks", "-forced"
};

/// `point_to_point` says what messages cost; its own table of collectives is not looked at except for a Bcast
/// that leads in and was not measured. The same arguments give the same fit. Cost: a simulation of each point
/// with each candidate, and that of find_lead_ins.
CollectiveFit fit_collectives(const std::vector<measure::Suite>& suites, const Platform& point_to_point,
                              const CollectiveOptions& options = {});

/// Operations that were not measured and that MPI libraries treat like another one, and that one: Alltoallv
/// like Alltoall.
struct Sibling {
  CollectiveKind kind, as;
};

/// Puts the library, the choices that contradict it, and the known algorithms into the platform's table.
/// Variants that were not measured get their siblings' algorithm where it exists for them; others keep
/// theirs. Returns these variants.
std::vector<Sibling> apply(const CollectiveFit& fit, Platform& platform);

/// The platform, to which the fit was applied, with what explains the measured times hardly worse: the
/// runners-up that are not told apart from the choices, and a search's results where the library's choices
/// are off but not refuted. The same platform if there is nothing of the kind.
Platform with_other_collectives(const CollectiveFit& fit, const Platform& platform);

/// A measured point and what the platform predicts.
struct CollectiveResidual {
  std::string suite;
  std::uint64_t argument = 0;
  double measured_ps = 0, predicted_ps = 0;
};

/// For each point that `platform`, to which the fit was applied, can predict.
std::vector<CollectiveResidual> collective_residuals(const std::vector<measure::Suite>& suites,
                                                     const CollectiveFit& fit, const Platform& platform);

}  // namespace busline::calibrate
