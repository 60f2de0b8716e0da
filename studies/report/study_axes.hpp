// The axes of a study as they are drawn: which values there are, in which order, and what they are as
// numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "documents/text/quantity_column.hpp"
#include "studies/report/figure.hpp"
#include "studies/study/outcome.hpp"

namespace busline::report {

/// What numbers of this kind are in a figure.
Unit unit_of_axis(QuantityKind kind);

/// The values of one axis, in the order in which they are shown, and where each is.
struct StudyAxis {
  Points::Axis axis;
  std::map<std::string, std::uint32_t> places;  ///< by JSON text

  bool varies() const { return axis.values.size() > 1; }
};
/// The values that these points have on axis `number`, of that label. Numbers ascend; values of which some
/// are numbers of different kinds stay in the order of the points. Each point has a value for each axis.
StudyAxis study_axis(const std::string& label, const std::vector<PointOutcome>& points, std::size_t number);

}  // namespace busline::report
