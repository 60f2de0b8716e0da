// The points of a study: which value each axis has at each. They are computed, not listed, so a study of
// millions of points takes no memory before it runs.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/study/study.hpp"

namespace busline {

/// Part I of N of a study's points: every N-th, so that all parts are similar.
struct Slice {
  std::uint64_t part = 1, parts = 1;  ///< part from 1 to parts
  bool has(std::uint64_t point) const { return point % parts == part - 1; }
  /// The i-th of its points, from 0.
  std::uint64_t point(std::uint64_t i) const { return i * parts + part - 1; }
  /// For `points` in all.
  std::uint64_t count(std::uint64_t points) const {
    return points / parts + (part <= points % parts ? 1 : 0);
  }
};

/// Numbered from 0. The same study gives the same points on every machine.
class Points {
 public:
  /// Errors (bad_input) without a place: axes of different lengths are zipped, too many points, none.
  static Expected<Points> of(std::vector<Axis> axes, const Sampling& sampling);

  std::uint64_t count() const { return count_; }
  const std::vector<Axis>& axes() const { return axes_; }
  /// The value of each axis at a point, which must be below count().
  std::vector<AxisValue> at(std::uint64_t point) const;

 private:
  AxisValue sampled(std::size_t axis, std::uint64_t point) const;

  std::vector<Axis> axes_;
  Sampling sampling_;
  std::uint64_t count_ = 0;
  /// By axis, of a Latin hypercube: which part of the axis each point is in.
  std::vector<std::vector<std::uint32_t>> strata_;
};

}  // namespace busline
