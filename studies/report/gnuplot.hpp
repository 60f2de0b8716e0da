// The figures of a report for papers: their data as CSV, and scripts for gnuplot 5 that draw them as SVG.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// Names and contents: for each figure NAME.csv, with a heading and values in the units of figure.hpp; and
/// for what is not a table NAME.gp, which draws NAME.svg. Points of a study are drawn over their first axis
/// that varies, with a curve for each value of the second, other axes at the value in the middle. Texts of
/// files stand in quotes that gnuplot does not look into.
std::vector<std::pair<std::string, std::string>> gnuplot_files(const Report& report);

/// Makes the folder where it is not there. An Error of kind unreadable if the system refuses.
Expected<void> make_folder(const std::string& path);

}  // namespace busline::report
