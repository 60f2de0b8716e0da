// The figures of a study's section.
#pragma once
#include <cstddef>
#include <optional>

#include "studies/report/figure.hpp"
#include "studies/report/gathered_study.hpp"

namespace busline::report {

/// More points than this are not drawn.
inline constexpr std::size_t kMostPagePoints = 20'000;

/// The points over the axes, with every column that says something of one of them; the question in its title
/// is which of them are `within` that share of the best.
Figure points_figure(const GatheredStudy& study, double within);
/// A bar for each point, or for the base and the best one of each workload: what its time consists of, as a
/// multiple of its base's. Nothing if there is nothing to compare.
std::optional<Figure> states_figure(const GatheredStudy& study);
/// A table of the points without a result, and why.
Figure failures_figure(const GatheredStudy& study);

}  // namespace busline::report
