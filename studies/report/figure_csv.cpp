#include "studies/report/figure_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "documents/text/csv.hpp"
#include "studies/report/shown_text.hpp"

namespace busline::report {

std::string figure_cell(const std::string& text) {
  return csv_cell(shown_text(text));
}

std::string figure_heading(const std::string& label, Unit unit) {
  constexpr std::array<std::string_view, 6> kSuffixes{"", " [ps]", " [B]", " [B/s]", "", ""};
  return figure_cell(fmt::format("{}{}", label, kSuffixes[static_cast<std::size_t>(unit)]));
}

std::string figure_number(double v) {
  return std::isfinite(v) ? fmt::format("{:.9g}", v) : std::string("NaN");
}

std::string table_csv(const Table& t) {
  std::string csv;
  for (std::size_t i = 0; i < t.columns.size(); ++i) {
    csv += i == 0 ? "" : ",";
    csv += figure_heading(t.columns[i].label, t.columns[i].unit);
  }
  csv += "\n";
  for (const auto& row : t.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) csv += ",";
      if (const auto* v = std::get_if<double>(&row[i])) csv += figure_number(*v);
      if (const auto* text = std::get_if<std::string>(&row[i])) csv += figure_cell(*text);
    }
    csv += "\n";
  }
  return csv;
}

std::string points_csv(const Points& p) {
  std::string csv = "point";
  for (const auto& axis : p.axes) csv.append(",").append(figure_cell(axis.scale.label));
  for (const auto& column : p.columns)
    csv.append(",").append(figure_heading(column.scale.label, column.scale.unit));
  csv += "\n";
  for (const auto& point : p.points) {
    csv += fmt::format("{}", point.number);
    for (std::size_t i = 0; i < p.axes.size(); ++i)
      csv.append(",").append(figure_cell(p.axes[i].values[point.places[i]].name));
    for (const auto& v : point.figures) csv.append(",").append(v ? figure_number(*v) : std::string());
    csv += "\n";
  }
  return csv;
}

}  // namespace busline::report
