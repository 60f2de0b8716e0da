// The figures of a study's section.
#pragma once
#include <cstddef>

#include "studies/report/figure.hpp"
#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// More points than this are not drawn.
inline constexpr std::size_t kMostPagePoints = 20'000;

/// The points over the axes, with every column that says something of one of them. `best` is the cost_of
/// of the best point.
Figure points_figure(const GatheredStudy& study, double best);
/// A table of the points without a result, and why.
Figure failures_figure(const GatheredStudy& study);

}  // namespace busline::report
