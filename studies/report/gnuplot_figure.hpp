// One figure for gnuplot: its data, and the lines that draw it.
#pragma once
#include <string>

#include "studies/report/figure.hpp"

namespace busline::report {

struct GnuplotFigure {
  std::string csv;
  std::string plot;  ///< what follows the settings of all scripts; none: a table, or nothing to draw
};
/// The lines read the data from the file NAME.csv. For lanes there are the pieces, no messages.
GnuplotFigure gnuplot_figure(const Figure& figure, const std::string& name);

}  // namespace busline::report
