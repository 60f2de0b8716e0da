// Lines over the interval from one setting of a machine (0) to another (1).
#pragma once
#include <cmath>
#include <cstdint>

namespace busline {

/// A time that changes linearly: `start` ps at 0, `start` + `rise` at 1. Integers, so that sums of lines are
/// exact.
struct Line {
  std::int64_t start = 0, rise = 0;

  /// The time at the fraction `part` / `whole`, rounded to the nearest ps. Exact where it is whole.
  std::int64_t at(std::int64_t part, std::int64_t whole) const {
    const auto scaled = static_cast<Wide>(rise) * part;
    const auto half = whole / 2;
    const auto steps = scaled >= 0 ? (scaled + half) / whole : -((-scaled + half) / whole);
    return start + static_cast<std::int64_t>(steps);
  }
  /// At `t` in [0, 1], with the error of a double.
  double at(double t) const { return static_cast<double>(start) + static_cast<double>(rise) * t; }

  Line operator+(const Line& o) const { return {start + o.start, rise + o.rise}; }
  bool operator==(const Line&) const = default;

 private:
  __extension__ using Wide = __int128;
};

/// The excess of `a` over `b` at `t`. The differences are exact: picoseconds are not lost in times of days.
inline double excess(const Line& a, const Line& b, double t) {
  return static_cast<double>(a.start - b.start) + static_cast<double>(a.rise - b.rise) * t;
}

}  // namespace busline
