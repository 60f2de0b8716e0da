// A study: the results file of 'busline study' (docs/how-to/studies.md).
#pragma once
#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"
#include "studies/study/store.hpp"

namespace busline::report {

/// Its points over the axes, what is best, what each axis changes, and what failed. For more than
/// kMostPagePoints points (study_figures.hpp) the first ones are shown; all count for the sentences. Errors:
/// the store's, or it contains no study.
Expected<Section> study_section(const Store& store);

}  // namespace busline::report
