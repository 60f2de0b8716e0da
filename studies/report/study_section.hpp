// A study: the results file of 'busline study' (docs/how-to/studies.md).
#pragma once
#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"
#include "studies/study/store.hpp"

namespace busline::report {

/// Its points over the axes, what is best, what each axis changes, and what failed. For more than
/// kMostPagePoints points (study_figures.hpp) the first ones are shown; all count for the sentences.
/// `within`: how much worse than the best is good enough, as a share. Errors: the store's, or it contains no
/// study.
Expected<Section> study_section(const Store& store, double within = 0.05);

}  // namespace busline::report
