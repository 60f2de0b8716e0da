// One collective operation's times against everything that may explain them, by ranges of sizes
// (docs/how-to/calibrating-collectives.md).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "validation/calibrate/collective_prediction.hpp"

namespace busline::calibrate {

/// The choice for a range of sizes.
struct CollectiveRange {
  CollectiveCost cost;  ///< with the size that it begins at
  std::string name;     ///< of the algorithm or closed form
  double error = 0;     ///< median |log(measured / predicted)|; see docs
  std::size_t points = 0;
  std::vector<std::string> same;  ///< others with the same times at all points of the range
  std::string runner_up;          ///< the best of the rest; empty: there is none
  CollectiveCost runner_up_cost;  ///< with the size that the range begins at
  double runner_up_error = 0;
  bool told_apart = false;  ///< the runner-up is worse by more than the points scatter
};

/// The choices of the machine's MPI library for an operation, against the search's.
struct LibraryFit {
  double error = 0, searched_error = 0;  ///< medians over all points
  bool holds = true;                     ///< the library's choices are kept
  bool is_doubtful = false;              ///< though the search explains the times nearly better enough
};

struct OperationFit {
  CollectiveKind kind{};
  std::vector<CollectiveRange> ranges;  ///< of the search; ascending, the first from 0 bytes on
  std::optional<LibraryFit> library{};  ///< where the library is known

  /// The ranges as an entry of a platform's table.
  std::vector<CollectiveCost> row() const;
  /// The same with the runner-up of each range that is not told apart from it.
  std::vector<CollectiveCost> other_row() const;
};

/// Points are of one operation, and `lead_ins` has their numbers of ranks. Nothing if there are none, or if
/// the platform can run no candidate at all of them. Cost: a simulation of each point with each candidate.
std::optional<OperationFit> fit_operation(const std::vector<CollectivePoint>& points,
                                          std::vector<CollectiveCost> candidates, const Platform& platform,
                                          const LeadIns& lead_ins);

}  // namespace busline::calibrate
