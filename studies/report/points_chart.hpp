// Points of a study as one chart, for where nobody can choose what is drawn.
#pragma once
#include <string>
#include <vector>

#include "studies/report/figure.hpp"

namespace busline::report {

/// The first column over the axis that matters most, with a curve for each workload or, if there is one, for
/// each value of the next axis, other axes at the value in the middle. Axes that were not combined as a
/// product give one curve of all points.
struct PointsChart {
  Chart chart;                     ///< without curves: nothing varies
  std::vector<std::string> ticks;  ///< of an x axis of names: of 0, 1, ...
  std::string heading;             ///< of the curves' names
};
PointsChart points_chart(const Points& points);

}  // namespace busline::report
