// At which arguments to measure: SKaMPI's grids and its automatic parameter refinement (APR; SKaLib manual,
// 3.3), which puts further arguments where straight lines between the measured points fit worst. A state
// machine that says which argument is next and is fed with its result.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::measure {

enum class Scale { fixed_linear, fixed_log, dynamic_linear, dynamic_log };
constexpr bool is_dynamic(Scale s) {
  return s == Scale::dynamic_linear || s == Scale::dynamic_log;
}
constexpr bool is_log(Scale s) {
  return s == Scale::fixed_log || s == Scale::dynamic_log;
}

/// The arguments that a suite of measurements starts with, and where others may be put.
struct ArgumentRange {
  Scale scale = Scale::dynamic_log;
  std::uint64_t start = 0, end = 0;  ///< both are measured; end is at most kLargestArgument
  double step = 1.4142135623730951;  ///< added (linear, above 0) or multiplied (log, above 1)
  std::uint64_t multiple_of = 1;  ///< each argument is rounded to the nearest multiple, the end down to one
  bool operator==(const ArgumentRange&) const = default;
};
inline constexpr std::uint64_t kLargestArgument = std::uint64_t{1} << 53U;  // below it, doubles are exact
inline constexpr std::size_t kMostArguments = 1'000'000;

/// The grid: ascending, without repeats. Linear: start, start + step, ... and end; log: start, start * step,
/// ... and end, or 0 and then from 1 on if start is 0. Errors (bad_option): a range that is empty, a step
/// that leads nowhere, more than kMostArguments steps.
Expected<std::vector<std::uint64_t>> initial_grid(const ArgumentRange& range);

struct CurvePoint {
  std::uint64_t argument = 0;
  double result = 0;
  bool operator==(const CurvePoint&) const = default;
};

/// How wrong a straight line from `b` to `c` may be, relative to the results: the key K of the manual's eq.
/// 3.5. `a` and `d` are the points beside them; at the ends of the range there is none, and fewer terms are
/// left. A divisor that is 0 counts as 1. Arguments ascend.
double segment_key(const std::optional<CurvePoint>& a, const CurvePoint& b, const CurvePoint& c,
                   const std::optional<CurvePoint>& d);

struct RefinementLimits {
  std::uint32_t max_steps = 16;    ///< measurements in all (dynamic scales only); at least 1
  std::uint64_t min_distance = 2;  ///< between two arguments that were not in the grid
  double precision = 0.03;         ///< eps: segments with smaller keys are left as they are
  /// For the suite, on all scales: nothing new is started once it has passed.
  std::optional<Duration> time_limit{};
  bool operator==(const RefinementLimits&) const = default;
};

class Refinement {
 public:
  enum class End {
    grid,        ///< a fixed scale's grid is measured
    precision,   ///< no segment's key reaches the precision
    distance,    ///< what is left to refine is too short
    max_steps,   ///< as many measurements as were allowed
    time_limit,  ///< no time for more
  };
  /// A measurement, in the order in which they were made.
  struct Step {
    CurvePoint point;
    /// What was refined, for arguments that are not in the grid: the segment's ends and key.
    struct Segment {
      std::uint64_t low = 0, high = 0;
      double key = 0;
      bool operator==(const Segment&) const = default;
    };
    std::optional<Segment> refined;
    bool operator==(const Step&) const = default;
  };

  /// Errors: those of initial_grid; max_steps of 0; a precision that is negative or no number. If the grid
  /// alone has more arguments than max_steps, that many of it are taken, evenly, with both ends.
  static Expected<Refinement> create(const ArgumentRange& range, const RefinementLimits& limits);

  /// The argument to be measured next, the same until add() was called; nothing once it is at an end.
  /// `elapsed` is what has passed since the suite began, on the caller's clock.
  std::optional<std::uint64_t> next(Duration elapsed);
  /// The result of the argument that next() gave: finite, usually a time. Cost: logarithmic.
  void add(double result);

  /// How much of the grid is not measured yet.
  std::size_t grid_left() const { return grid_.size() - std::min(steps_.size(), grid_.size()); }
  /// Why next() gave nothing.
  std::optional<End> end() const { return end_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Ascending.
  std::vector<CurvePoint> curve() const;

 private:
  Refinement(const ArgumentRange& range, const RefinementLimits& limits, std::vector<std::uint64_t> grid)
      : range_(range), limits_(limits), grid_(std::move(grid)) {}
  struct Place {
    double result = 0;
    double key = 0;       // of the segment from here to the next point, while it is in the queue
    bool closed = false;  // that segment is too short to be refined
  };
  using Places = std::map<std::uint64_t, Place>;
  struct Queued {
    double key;
    std::uint64_t low;
    // The largest key first, then the leftmost segment.
    bool operator<(const Queued& o) const { return key != o.key ? key > o.key : low < o.low; }
  };
  void requeue(Places::iterator low);
  std::optional<std::uint64_t> split();
  std::uint64_t middle(std::uint64_t low, std::uint64_t high) const;

  ArgumentRange range_;
  RefinementLimits limits_;
  std::vector<std::uint64_t> grid_;
  Places places_;
  std::set<Queued> queue_;
  std::vector<Step> steps_;
  std::optional<std::uint64_t> asked_;
  std::optional<Step::Segment> asked_within_;
  std::optional<End> end_;
};

}  // namespace busline::measure
