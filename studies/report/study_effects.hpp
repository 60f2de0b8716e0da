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

/// Of each axis that varies and is not of workloads, the largest first. Nothing where axes move together or
/// by chance, since none changes anything by itself. Values whose points are not all done do not count: the
/// others then differ, too.
std::vector<Effect> effects_of(const GatheredStudy& study);

}  // namespace busline::report
