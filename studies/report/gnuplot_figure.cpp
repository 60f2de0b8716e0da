#include "studies/report/gnuplot_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "studies/report/figure_csv.hpp"
#include "studies/report/gnuplot_axes.hpp"
#include "studies/report/points_chart.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostBelow = 8;   // curves whose names stand below the chart
constexpr std::size_t kMostLarge = 16;  // bars whose names have the usual size

// Viridis, which gnuplot has by name from version 6 on only.
constexpr const char* kMapUp = "0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725'";
constexpr const char* kMapDown = "0 '#fde725', 1 '#5ec962', 2 '#21918c', 3 '#3b528b', 4 '#440154'";

GnuplotFigure files_of(const Chart& c, const std::string& name) {
  GnuplotFigure files{fmt::format("curve,name,{},{},low,high,sample\n", figure_heading(c.x.label, c.x.unit),
                                  figure_heading(c.y.label, c.y.unit)),
                      ""};
  double largest_x = 0, largest_y = 0;
  std::string plots;
  for (std::size_t i = 0; i < c.curves.size(); ++i) {
    const auto& curve = c.curves[i];
    bool errors = false;
    for (const auto& s : curve.samples) {
      files.csv += fmt::format("{},{},{},{},{},{},{}\n", i, figure_cell(curve.name), figure_number(s.x),
                               figure_number(s.y), s.low ? figure_number(*s.low) : "",
                               s.high ? figure_number(*s.high) : "", figure_cell(s.name));
      largest_x = std::max(largest_x, s.x);
      largest_y = std::max(largest_y, s.y);
      errors = errors || (s.low && s.high);
    }
    const auto columns = fmt::format("(($1)=={} ? $3/xu : NaN):($4/yu)", i);
    const auto* const style = curve.style == Chart::Style::line     ? "linespoints"
                              : curve.style == Chart::Style::points ? "points"
                                                                    : "steps";
    plots +=
        fmt::format("{}data using {} with {} linecolor {} title {}", plots.empty() ? "plot " : ", \\\n     ",
                    columns, style, i + 1, gnuplot_text(curve.name));
    if (errors)
      plots += fmt::format(", \\\n     data using {}:($5/yu):($6/yu) with yerrorbars linecolor {} notitle",
                           columns, i + 1);
  }
  if (plots.empty()) return files;
  if (c.curves.size() > kMostBelow) plots.insert(0, "set key outside right\n");
  if (c.diagonal) plots += ", \\\n     x*xu/yu with lines dashtype 2 linecolor 'gray' title 'as measured'";
  const auto x = gnuplot_unit(c.x, largest_x), y = gnuplot_unit(c.y, largest_y);
  files.plot = fmt::format("data = {}\nxu = {}\nyu = {}\n", gnuplot_text(fmt::format("{}.csv", name)),
                           figure_number(x.size), figure_number(y.size)) +
               gnuplot_axis("x", c.x, x) + gnuplot_axis("y", c.y, y) + plots + "\n";
  return files;
}

GnuplotFigure files_of(const Bars& b, const std::string& name) {
  GnuplotFigure files{"name", ""};
  double largest = 0;
  for (const auto& part : b.parts) files.csv.append(",").append(figure_heading(part, b.scale.unit));
  files.csv += "\n";
  for (const auto& row : b.rows) {
    double sum = 0;
    files.csv += figure_cell(row.name);
    for (const auto v : row.values) files.csv.append(",").append(figure_number(v)), sum += v;
    files.csv += "\n";
    largest = std::max(largest, sum);
  }
  const auto unit = gnuplot_unit(b.scale, largest);
  files.plot = fmt::format(
      "data = {}\nyu = {}\nset style data histograms\nset style histogram rowstacked\nset style fill solid\n"
      "set boxwidth 0.8\nset xtics rotate by -{}\nset yrange [0:*]\n",
      gnuplot_text(fmt::format("{}.csv", name)), figure_number(unit.size),
      b.rows.size() > kMostLarge ? "90 font ',7'" : "45");
  files.plot += gnuplot_axis("y", b.scale, unit);
  for (std::size_t i = 0; i < b.parts.size(); ++i)
    files.plot += fmt::format("{}data using (${}/yu){} title {}", i == 0 ? "plot " : ", \\\n     ", i + 2,
                              i == 0 ? ":xticlabels(1)" : "", gnuplot_text(b.parts[i]));
  files.plot += "\n";
  return files;
}

GnuplotFigure files_of(const Matrix& m, const std::string& name) {
  const auto width = m.names.size();
  GnuplotFigure files{fmt::format("row,column,{},{},{}\n", figure_cell(m.from), figure_cell(m.to),
                                  figure_heading(m.value.label, m.value.unit)),
                      ""};
  double largest = 0;
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    files.csv +=
        fmt::format("{},{},{},{},{}\n", i / width, i % width, figure_cell(m.names[i / width]),
                    figure_cell(m.names[i % width]), m.values[i] ? figure_number(*m.values[i]) : "NaN");
    largest = std::max(largest, m.values[i].value_or(0));
  }
  const auto unit = gnuplot_unit(m.value, largest);
  files.plot = fmt::format("data = {}\nzu = {}\n", gnuplot_text(fmt::format("{}.csv", name)),
                           figure_number(unit.size));
  files.plot +=
      gnuplot_axis("x", {m.to}, {}) + gnuplot_axis("y", {m.from}, {}) + gnuplot_axis("cb", m.value, unit);
  files.plot += fmt::format(
      "set yrange [{0}.5:-0.5]\nset xrange [-0.5:{0}.5]\nset palette defined ({1})\nunset key\n"
      "plot data using 2:1:($5/zu) with image\n",
      std::max<std::size_t>(width, 1) - 1, m.low_is_bad ? kMapUp : kMapDown);
  return files;
}

GnuplotFigure files_of(const Table& t, const std::string&) {
  return {table_csv(t), ""};
}

GnuplotFigure files_of(const Points& p, const std::string& name) {
  const auto all = points_chart(p);
  auto files = files_of(all.chart, name);
  if (files.plot.empty()) return files;
  std::string before;
  for (std::size_t i = 0; i < all.ticks.size(); ++i)
    before += fmt::format("{}{} {}", i == 0 ? "set xtics (" : ", ", gnuplot_text(all.ticks[i]), i);
  if (!all.ticks.empty()) before += ")\n";
  if (!all.heading.empty()) before += fmt::format("set key title {}\n", gnuplot_text(all.heading));
  files.plot.insert(0, before);
  return files;
}

// A box for each piece.
GnuplotFigure files_of(const Lanes& l, const std::string& name) {
  GnuplotFigure files{"lane,name,state,number,from [ps],to [ps]\n", ""};
  const auto unit = gnuplot_unit({"time", Unit::time}, static_cast<double>(l.to));
  std::vector<bool> used(l.kinds.size());
  for (std::size_t i = 0; i < l.lanes.size(); ++i)
    for (const auto& p : l.lanes[i].pieces) {
      used[p.kind] = true;
      files.csv += fmt::format("{},{},{},{},{},{}\n", i, figure_cell(l.lanes[i].name),
                               figure_cell(l.kinds[p.kind]), p.kind, p.from, p.to);
    }
  files.plot = fmt::format("data = {}\nxu = {}\n", gnuplot_text(fmt::format("{}.csv", name)),
                           figure_number(unit.size));
  files.plot += gnuplot_axis("x", {"time", Unit::time}, unit);
  files.plot += fmt::format("set yrange [{}.5:-0.5]\nset ylabel 'rank'\nset style fill solid noborder\n",
                            std::max<std::size_t>(l.lanes.size(), 1) - 1);
  std::string plots;
  for (std::size_t k = 0; k < l.kinds.size(); ++k)
    if (used[k])
      plots += fmt::format(
          "{}data using (($5+$6)/2/xu):(($4)=={} ? $1 : NaN):($5/xu):($6/xu):($1-0.4):($1+0.4) "
          "with boxxyerror linecolor {} title {}",
          plots.empty() ? "plot " : ", \\\n     ", k, k + 1, gnuplot_text(l.kinds[k]));
  if (plots.empty()) return {std::move(files.csv), ""};
  files.plot += plots;
  files.plot += "\n";
  return files;
}

}  // namespace

GnuplotFigure gnuplot_figure(const Figure& figure, const std::string& name) {
  return std::visit([&](const auto& content) { return files_of(content, name); }, figure.content);
}

}  // namespace busline::report
