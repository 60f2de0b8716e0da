// The data of figures as comma-separated values, for other programs: in the units of figure.hpp.
#pragma once
#include <string>

#include "studies/report/figure.hpp"

namespace busline::report {

/// A text of a file as a cell.
std::string figure_cell(const std::string& text);
/// A heading that names the data's unit: "run time [ps]".
std::string figure_heading(const std::string& label, Unit unit);
/// Nine digits; what is not finite is NaN.
std::string figure_number(double v);

std::string table_csv(const Table& table);
/// Every point with all its figures.
std::string points_csv(const Points& points);

}  // namespace busline::report
