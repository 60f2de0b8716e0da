// Axes and texts of scripts for gnuplot.
#pragma once
#include <string>
#include <string_view>

#include "studies/report/figure.hpp"

namespace busline::report {

/// In quotes, so that gnuplot takes it as it is.
std::string gnuplot_text(std::string_view text);

/// What an axis counts in: the data are divided by `size`.
struct GnuplotUnit {
  std::string_view name;
  double size = 0;
};
/// In which most digits of the largest value are before the point. For a logarithmic axis each tick has a
/// prefix of its own, so that the data are in the unit without one.
GnuplotUnit gnuplot_unit(const Scale& scale, double largest);
/// The lines that set up the axis "x", "y" or "cb".
std::string gnuplot_axis(const char* axis, const Scale& scale, const GnuplotUnit& unit);

}  // namespace busline::report
