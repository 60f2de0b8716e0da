#include "studies/report/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

#include "studies/output/csv.hpp"
#include "studies/report/shown_text.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostBelow = 8;   // curves whose names stand below the chart
constexpr std::size_t kMostLarge = 16;  // bars whose names have the usual size

struct Files {
  std::string csv;
  std::string plot;  // the lines that draw it; none: a table
};

// Viridis, which gnuplot has by name from version 6 on only.
constexpr const char* kMapUp = "0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725'";
constexpr const char* kMapDown = "0 '#fde725', 1 '#5ec962', 2 '#21918c', 3 '#3b528b', 4 '#440154'";

std::string cell(const std::string& text) {
  return csv_cell(shown_text(text));
}

// In a quoted text that gnuplot takes as it is, but for quotes that are doubled.
std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : shown_text(text)) {
    if (c == '\'') out += '\'';
    out += c;
  }
  out += '\'';
  return out;
}

struct UnitSize {
  std::string_view name;
  double size;
};

// In which most digits are before the point; of texts for papers, so that micro is no letter beyond ASCII.
UnitSize unit_of(Unit unit, double largest) {
  static constexpr std::array<UnitSize, 5> kTimes{
      {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
  static constexpr std::array<UnitSize, 5> kBytes{
      {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}};
  static constexpr std::array<UnitSize, 5> kRates{
      {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}}};
  const auto chosen = [&](const auto& units) {
    auto best = units[0];
    for (const auto& u : units)
      if (largest >= u.size) best = u;
    return best;
  };
  switch (unit) {
    case Unit::time:
      return chosen(kTimes);
    case Unit::bytes:
      return chosen(kBytes);
    case Unit::bandwidth:
      return chosen(kRates);
    case Unit::share:
      return {"%", 0.01};
    case Unit::number:
    case Unit::multiple:
      break;
  }
  return {"", 1};
}

// A heading in the data's own units.
std::string heading(const std::string& label, Unit unit) {
  constexpr std::array<std::string_view, 6> kSuffixes{"", " [ps]", " [B]", " [B/s]", "", ""};
  return cell(fmt::format("{}{}", label, kSuffixes[static_cast<std::size_t>(unit)]));
}

// Of a logarithmic axis each tick has a prefix of its own, so that the data are in the unit without one.
UnitSize base_unit(Unit unit) {
  if (unit == Unit::time) return {"s", 1e12};
  return unit_of(unit, 0);
}

UnitSize unit_of(const Scale& scale, double largest) {
  return scale.logarithmic ? base_unit(scale.unit) : unit_of(scale.unit, largest);
}

std::string axis_lines(const char* axis, const Scale& scale, const UnitSize& unit) {
  auto label = scale.label;
  const bool prefixed = scale.logarithmic && (scale.unit == Unit::time || scale.unit == Unit::bytes ||
                                              scale.unit == Unit::bandwidth);
  if (!unit.name.empty() && !prefixed) label += fmt::format(" [{}]", unit.name);
  auto text = fmt::format("set {}label {}\n", axis, gnuplot_text(label));
  if (scale.logarithmic) text += fmt::format("set logscale {}\n", axis);
  if (prefixed) text += fmt::format("set format {} '%.0s %c{}'\n", axis, unit.name);
  return text;
}

std::string number(double v) {
  return std::isfinite(v) ? fmt::format("{:.9g}", v) : std::string("NaN");
}

Files files_of(const Chart& c, const std::string& name) {
  Files files{fmt::format("curve,name,{},{},low,high,sample\n", heading(c.x.label, c.x.unit),
                          heading(c.y.label, c.y.unit)),
              ""};
  double largest_x = 0, largest_y = 0;
  std::string plots;
  for (std::size_t i = 0; i < c.curves.size(); ++i) {
    const auto& curve = c.curves[i];
    bool errors = false;
    for (const auto& s : curve.samples) {
      files.csv += fmt::format("{},{},{},{},{},{},{}\n", i, cell(curve.name), number(s.x), number(s.y),
                               s.low ? number(*s.low) : "", s.high ? number(*s.high) : "", cell(s.name));
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
  const auto x = unit_of(c.x, largest_x), y = unit_of(c.y, largest_y);
  files.plot = fmt::format("data = {}\nxu = {}\nyu = {}\n", gnuplot_text(fmt::format("{}.csv", name)),
                           number(x.size), number(y.size)) +
               axis_lines("x", c.x, x) + axis_lines("y", c.y, y) + plots + "\n";
  return files;
}

Files files_of(const Bars& b, const std::string& name) {
  Files files{"name", ""};
  double largest = 0;
  for (const auto& part : b.parts) files.csv.append(",").append(heading(part, b.scale.unit));
  files.csv += "\n";
  for (const auto& row : b.rows) {
    double sum = 0;
    files.csv += cell(row.name);
    for (const auto v : row.values) files.csv.append(",").append(number(v)), sum += v;
    files.csv += "\n";
    largest = std::max(largest, sum);
  }
  const auto unit = unit_of(b.scale, largest);
  files.plot = fmt::format(
      "data = {}\nyu = {}\nset style data histograms\nset style histogram rowstacked\nset style fill solid\n"
      "set boxwidth 0.8\nset xtics rotate by -{}\nset yrange [0:*]\n",
      gnuplot_text(fmt::format("{}.csv", name)), number(unit.size),
      b.rows.size() > kMostLarge ? "90 font ',7'" : "45");
  files.plot += axis_lines("y", b.scale, unit);
  for (std::size_t i = 0; i < b.parts.size(); ++i)
    files.plot += fmt::format("{}data using (${}/yu){} title {}", i == 0 ? "plot " : ", \\\n     ", i + 2,
                              i == 0 ? ":xticlabels(1)" : "", gnuplot_text(b.parts[i]));
  files.plot += "\n";
  return files;
}

Files files_of(const Matrix& m, const std::string& name) {
  const auto width = m.names.size();
  Files files{
      fmt::format("row,column,{},{},{}\n", cell(m.from), cell(m.to), heading(m.value.label, m.value.unit)),
      ""};
  double largest = 0;
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    files.csv += fmt::format("{},{},{},{},{}\n", i / width, i % width, cell(m.names[i / width]),
                             cell(m.names[i % width]), m.values[i] ? number(*m.values[i]) : "NaN");
    largest = std::max(largest, m.values[i].value_or(0));
  }
  const auto unit = unit_of(m.value, largest);
  files.plot =
      fmt::format("data = {}\nzu = {}\n", gnuplot_text(fmt::format("{}.csv", name)), number(unit.size));
  files.plot += axis_lines("x", {m.to}, {}) + axis_lines("y", {m.from}, {}) + axis_lines("cb", m.value, unit);
  files.plot += fmt::format(
      "set yrange [{0}.5:-0.5]\nset xrange [-0.5:{0}.5]\nset palette defined ({1})\nunset key\n"
      "plot data using 2:1:($5/zu) with image\n",
      std::max<std::size_t>(width, 1) - 1, m.low_is_bad ? kMapUp : kMapDown);
  return files;
}

Files files_of(const Table& t, const std::string&) {
  Files files;
  for (std::size_t i = 0; i < t.columns.size(); ++i) {
    files.csv += i == 0 ? "" : ",";
    files.csv += heading(t.columns[i].label, t.columns[i].unit);
  }
  files.csv += "\n";
  for (const auto& row : t.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) files.csv += ",";
      if (const auto* v = std::get_if<double>(&row[i])) files.csv += number(*v);
      if (const auto* text = std::get_if<std::string>(&row[i])) files.csv += cell(*text);
    }
    files.csv += "\n";
  }
  return files;
}

// The points over the first axis that varies.
struct DrawnPoints {
  Chart chart;
  std::vector<std::string> ticks;  // of an x axis of names
  std::string heading;             // of the curves' names
};

DrawnPoints drawn(const Points& p) {
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (p.axes[i].values.size() > 1) varying.push_back(i);
  DrawnPoints all;
  auto& chart = all.chart;
  if (varying.empty() || p.columns.empty()) return all;
  const auto& over = p.axes[varying[0]];
  const bool numbers =
      std::all_of(over.values.begin(), over.values.end(), [](const auto& v) { return v.number.has_value(); });
  chart.x = over.scale;
  chart.y = p.columns[0].scale;
  if (!numbers) {
    chart.x.unit = Unit::number;
    chart.x.logarithmic = false;
    for (const auto& v : over.values) all.ticks.push_back(v.name);
  }
  const bool product = p.combined == Points::Combined::product;
  const auto* by = product && varying.size() > 1 ? &p.axes[varying[1]] : nullptr;
  if (by != nullptr) all.heading = by->scale.label;
  chart.curves.resize(by == nullptr ? 1 : by->values.size());
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    chart.curves[i].name = by == nullptr ? chart.y.label : by->values[i].name;
    if (p.combined == Points::Combined::sampled) chart.curves[i].style = Chart::Style::points;
  }
  for (const auto& point : p.points) {
    bool chosen = point.figures[0].has_value();
    for (std::size_t k = 2; product && k < varying.size(); ++k)
      chosen = chosen && point.places[varying[k]] == (p.axes[varying[k]].values.size() - 1) / 2;
    if (!chosen) continue;
    const auto place = point.places[varying[0]];
    chart.curves[by == nullptr ? 0 : point.places[varying[1]]].samples.push_back(
        {numbers ? *over.values[place].number : place, *point.figures[0], {}, {}, ""});
  }
  for (auto& curve : chart.curves)
    std::stable_sort(curve.samples.begin(), curve.samples.end(),
                     [](const auto& a, const auto& b) { return a.x < b.x; });
  return all;
}

Files files_of(const Points& p, const std::string& name) {
  const auto all = drawn(p);
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

// A box for each piece; messages are in no file.
Files files_of(const Lanes& l, const std::string& name) {
  Files files{"lane,name,state,number,from [ps],to [ps]\n", ""};
  const auto unit = unit_of(Unit::time, static_cast<double>(l.to));
  std::vector<bool> used(l.kinds.size());
  for (std::size_t i = 0; i < l.lanes.size(); ++i)
    for (const auto& p : l.lanes[i].pieces) {
      used[p.kind] = true;
      files.csv += fmt::format("{},{},{},{},{},{}\n", i, cell(l.lanes[i].name), cell(l.kinds[p.kind]), p.kind,
                               p.from, p.to);
    }
  files.plot =
      fmt::format("data = {}\nxu = {}\n", gnuplot_text(fmt::format("{}.csv", name)), number(unit.size));
  files.plot += axis_lines("x", {"time", Unit::time}, unit);
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

// Every point with all its figures.
std::string all_points(const Points& p) {
  std::string csv = "point";
  for (const auto& axis : p.axes) csv.append(",").append(cell(axis.scale.label));
  for (const auto& column : p.columns) csv.append(",").append(heading(column.scale.label, column.scale.unit));
  csv += "\n";
  for (const auto& point : p.points) {
    csv += fmt::format("{}", point.number);
    for (std::size_t i = 0; i < p.axes.size(); ++i)
      csv.append(",").append(cell(p.axes[i].values[point.places[i]].name));
    for (const auto& v : point.figures) csv.append(",").append(v ? number(*v) : std::string());
    csv += "\n";
  }
  return csv;
}

// "2-1-where-the-time-went"
std::string file_name(std::size_t section, std::size_t figure, const std::string& title) {
  std::string words;
  for (const char c : title) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital)
      words += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.empty() && words.back() != '-')
      words += '-';
    if (words.size() >= 40) break;
  }
  while (!words.empty() && words.back() == '-') words.pop_back();
  return fmt::format("{}-{}{}{}", section + 1, figure + 1, words.empty() ? "" : "-", words);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> gnuplot_files(const Report& report) {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < report.sections.size(); ++i)
    for (std::size_t k = 0; k < report.sections[i].figures.size(); ++k) {
      const auto& figure = report.sections[i].figures[k];
      const auto name = file_name(i, k, figure.title);
      auto files = std::visit([&](const auto& content) { return files_of(content, name); }, figure.content);
      all.emplace_back(fmt::format("{}.csv", name), std::move(files.csv));
      if (const auto* points = std::get_if<Points>(&figure.content))
        all.emplace_back(fmt::format("{}-all.csv", name), all_points(*points));
      if (files.plot.empty()) continue;
      all.emplace_back(
          fmt::format("{}.gp", name),
          fmt::format("# gnuplot {0}.gp draws {0}.svg\nset terminal svg size 640,420 dynamic noenhanced\n"
                      "set output {1}\nset datafile separator comma\nset datafile columnheaders\n"
                      "set grid\nset key outside below\nset colorsequence podo\nset title {2}\n{3}",
                      name, gnuplot_text(fmt::format("{}.svg", name)), gnuplot_text(figure.title),
                      files.plot));
    }
  return all;
}

Expected<void> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return refuse_file(Error::Kind::unreadable, path, fmt::format("cannot be made: {}", failed.message()));
}

}  // namespace busline::report
