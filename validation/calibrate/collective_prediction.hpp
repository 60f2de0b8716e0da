// A platform's predictions for measured points of collectives: simulates the same kernel, with the same
// preceding calls and placement of ranks.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "sim/program/collective.hpp"

namespace busline::calibrate {

/// A measured point of a collective.
struct CollectivePoint {
  const measure::Suite* suite = nullptr;
  const measure::Point* point = nullptr;
  CollectiveKind kind{};
  std::uint64_t bytes = 0;  ///< of the kernel
  std::uint32_t ranks = 0;  ///< the first of the suite's
  double measured_ps = 0;
  /// What measured_ps is: the suite's definition, or the mean over the ranks' results where single samples
  /// scatter so much that the last of many ranks is late by chance, the later the more there are.
  measure::TimeOf time = measure::TimeOf::max_over_ranks;
};

/// All points of a suite that can be predicted; none of other suites than collectives. `chance` is
/// chance_of() of the measurements. The suite has to outlive them.
std::vector<CollectivePoint> collective_points(const measure::Suite& suite, double chance = 0);

using PointsByKind = std::map<CollectiveKind, std::vector<CollectivePoint>>;
PointsByKind points_by_kind(const std::vector<measure::Suite>& suites);

/// The calls before each sample determine how far apart ranks start.
struct LeadInCosts {
  CollectiveCost barrier, bcast;
};
/// By the number of ranks: MPI libraries choose algorithms by it.
using LeadIns = std::map<std::uint32_t, LeadInCosts>;

/// In picoseconds, as the point defines its time, on a platform whose messages are those of `platform`.
/// Nothing if it cannot run: nodes that it has not, a deadlock. Barrier leads in with `cost` itself.
std::optional<double> predicted_ps(const CollectivePoint& point, const Platform& platform,
                                   const LeadInCosts& lead_in, const CollectiveCost& cost);

/// How far a prediction is off: |log(measured / predicted)|, half a latency added to both, since a call that
/// nearly nothing is left of, as ranks start apart, has no ratio.
double collective_error(const CollectivePoint& point, const Platform& platform, double predicted_ps);
/// The error, capped at 1, which also stands for no prediction: far off is wrong, however far.
double capped_error(const CollectivePoint& point, const Platform& platform,
                    std::optional<double> predicted_ps);
/// The same, with a handicap for closed forms: they are many, and some fit by chance.
double collective_misfit(const CollectivePoint& point, const Platform& platform, const CollectiveCost& cost,
                         std::optional<double> predicted_ps);
/// Predictions that differ by less, as a share, are the same.
inline constexpr double kSameTimes = 1e-3;

}  // namespace busline::calibrate
