// A study: the file of results of 'busline study' (docs/studies.md).
#pragma once
#include "sim/error.hpp"
#include "studies/report/figure.hpp"
#include "studies/study/store.hpp"

namespace busline::report {

/// Its points over the axes, what is best, what each axis changes, and what failed. Of more than
/// kMostPagePoints points the first ones are shown; all count for the sentences. Errors: the store's, or
/// there is no study in it.
Expected<Section> study_section(const Store& store);
inline constexpr std::size_t kMostPagePoints = 20'000;

/// What a value of an axis is as a number, for drawing: a number, a time, a bandwidth, a size. Nothing: it is
/// none of these, or unlimited. `json` is its text in a study.
struct AxisNumber {
  double value = 0;
  Unit unit = Unit::number;
};
std::optional<AxisNumber> axis_number(const std::string& json);

}  // namespace busline::report
