// A measurement document (docs/reference/measuring.md): curves of benchmarks, LinkTest's times of all pairs,
// ZiaTest's launches.
#pragma once
#include <string>

#include "measuring/measurement/measurement.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// Charts of the suites that vary something, kMostCurves in each; what pairs_figures and launch_figures make
/// of the others; a table of all suites. `source` is the document's file.
Section measurement_section(const measure::Measurement& measurement, const std::string& source);
inline constexpr std::size_t kMostCurves = 8;

}  // namespace busline::report
