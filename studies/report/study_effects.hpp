// How much each axis of a study changes.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// How much an axis changes by itself: the largest over the smallest geometric mean of the points with one of
/// its values.
struct Effect {
  std::size_t axis = 0;
  double ratio = 1;
  std::string best, worst;  ///< values
};

/// The effect of each axis that varies, axes of workloads left out; the largest first. Empty where axes move
/// together or by chance, since none then changes anything by itself. A value counts only if all of its
/// points are done: otherwise its mean would be over other points than those of the other values.
std::vector<Effect> effects_of(const GatheredStudy& study);

}  // namespace busline::report
