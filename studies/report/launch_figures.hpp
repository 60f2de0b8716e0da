// Launches of jobs, as ZiaTest measures them (docs/reference/ziatest.md).
#pragma once
#include "measuring/measurement/measurement.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// For each suite of launches: bars of the phases and, of several, a curve over the nodes; and sentences.
void add_launches(const measure::Measurement& measurement, Section& section);

}  // namespace busline::report
