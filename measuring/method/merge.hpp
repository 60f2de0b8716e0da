// Merging several runs of the same suite: SKaMPI's automatic merging of results (AMR; SKaLib manual, 3.4). A
// median of runs, so that a disturbed run is left out rather than averaged in; the result at an argument is
// always one that a run gave, with that run's standard error.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "measuring/method/statistics.hpp"

namespace busline::measure {

/// How much a run's say in the median is worth.
enum class MergeRule {
  count,  ///< its number of samples, as in SKaMPI. Under ASEC a disturbed run repeats more, so it weighs more
  robust,  ///< the same for each run: one launch is one sample of the machine, however often it repeated
};

struct Weighted {
  double value = 0, weight = 0;
};

/// Place of the lower weighted median: of the values in ascending order, the first at which the weights up to
/// there are at least half of all. If all weights are 0 they count as equal. `values` is not empty. Cost: a
/// sort. SKaMPI's code takes half of the sum rounded down, and gets the lower neighbour for odd sums.
std::size_t lower_weighted_median(std::span<const Weighted> values);

/// A point of one run's curve.
struct RunPoint {
  std::uint64_t argument = 0;
  Estimate result;
  std::uint64_t count = 0;
  bool operator==(const RunPoint&) const = default;
};

/// The point of a run at `argument`, which must be strictly within it: measured, or on the straight line
/// between its neighbours, with the smaller of their counts and standard errors. Nothing outside:
/// extrapolated values are guesses.
struct FoundPoint {
  RunPoint point;
  bool interpolated = false;
  bool operator==(const FoundPoint&) const = default;
};
std::optional<FoundPoint> find_point(std::span<const RunPoint> ascending, std::uint64_t argument);

struct MergedPoint {
  RunPoint point;
  std::size_t run = 0;        ///< the one that it comes from
  bool interpolated = false;  ///< which did not measure at this argument
  std::size_t runs = 0,
              interpolated_runs = 0;  ///< how many runs counted, and how many of them did not measure here
  Interval spread;                    ///< the smallest and the largest result among them
  bool operator==(const MergedPoint&) const = default;
};

/// One curve of many: at each argument that one of the runs measured, the median of all that have a value
/// there. Each run's points ascend. The order of the runs makes no difference but to MergedPoint::run.
std::vector<MergedPoint> merge_runs(std::span<const std::vector<RunPoint>> runs, MergeRule rule);

}  // namespace busline::measure
