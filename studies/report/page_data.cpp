#include "studies/report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "studies/report/shown_text.hpp"

namespace busline::report {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Unit unit) {
  constexpr std::array<std::string_view, 6> kNames{"number",    "time",  "bytes",
                                                   "bandwidth", "share", "multiple"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::string_view name_of(Chart::Style style) {
  constexpr std::array<std::string_view, 3> kNames{"line", "points", "steps"};
  return kNames[static_cast<std::size_t>(style)];
}

std::string_view name_of(Points::Combined combined) {
  constexpr std::array<std::string_view, 3> kNames{"product", "together", "sampled"};
  return kNames[static_cast<std::size_t>(combined)];
}

Json number(double v) {
  if (!std::isfinite(v)) return nullptr;
  const auto rounded = std::strtod(fmt::format("{:.7g}", v).c_str(), nullptr);
  // Whole numbers need no ".0".
  if (std::abs(rounded) < 9e15 && rounded == std::trunc(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json number(const std::optional<double>& v) {
  return v ? number(*v) : Json(nullptr);
}

Json to_json(const Scale& s) {
  return {{"label", shown_text(s.label)}, {"unit", name_of(s.unit)}, {"log", s.logarithmic}};
}

Json texts(const std::vector<std::string>& list) {
  auto out = Json::array();
  for (const auto& text : list) out.push_back(shown_text(text));
  return out;
}

Json to_json(const Chart& c) {
  Json j{{"type", "chart"}, {"x", to_json(c.x)}, {"y", to_json(c.y)}, {"diagonal", c.diagonal}};
  auto& curves = j["curves"] = Json::array();
  for (const auto& curve : c.curves) {
    // Columns are shorter than an object for each sample.
    Json x = Json::array(), y = Json::array(), low = Json::array(), high = Json::array(),
         names = Json::array();
    for (const auto& s : curve.samples) {
      x.push_back(number(s.x));
      y.push_back(number(s.y));
      low.push_back(number(s.low));
      high.push_back(number(s.high));
      names.push_back(shown_text(s.name));
    }
    const auto any = [&](auto of) { return std::any_of(curve.samples.begin(), curve.samples.end(), of); };
    Json one{{"name", shown_text(curve.name)}, {"style", name_of(curve.style)}, {"x", x}, {"y", y}};
    if (any([](const Chart::Sample& s) { return s.low && s.high; })) {
      one["low"] = std::move(low);
      one["high"] = std::move(high);
    }
    if (any([](const Chart::Sample& s) { return !s.name.empty(); })) one["names"] = std::move(names);
    curves.push_back(std::move(one));
  }
  return j;
}

Json to_json(const Bars& b) {
  Json j{{"type", "bars"}, {"scale", to_json(b.scale)}, {"parts", texts(b.parts)}};
  auto& rows = j["rows"] = Json::array();
  for (const auto& row : b.rows) {
    auto values = Json::array();
    for (const auto v : row.values) values.push_back(number(v));
    rows.push_back({{"name", shown_text(row.name)}, {"values", std::move(values)}});
  }
  return j;
}

Json to_json(const Matrix& m) {
  Json j{{"type", "matrix"},          {"from", shown_text(m.from)}, {"to", shown_text(m.to)},
         {"value", to_json(m.value)}, {"low_is_bad", m.low_is_bad}, {"names", texts(m.names)}};
  auto& values = j["values"] = Json::array();
  for (const auto& v : m.values) values.push_back(number(v));
  return j;
}

Json to_json(const Table& t) {
  Json j{{"type", "table"}};
  auto& columns = j["columns"] = Json::array();
  for (const auto& c : t.columns)
    columns.push_back({{"label", shown_text(c.label)}, {"unit", name_of(c.unit)}});
  auto& rows = j["rows"] = Json::array();
  for (const auto& row : t.rows) {
    auto cells = Json::array();
    for (const auto& cell : row) {
      if (const auto* v = std::get_if<double>(&cell))
        cells.push_back(number(*v));
      else if (const auto* text = std::get_if<std::string>(&cell))
        cells.push_back(shown_text(*text));
      else
        cells.push_back(nullptr);
    }
    rows.push_back(std::move(cells));
  }
  return j;
}

Json to_json(const Points& p) {
  Json j{{"type", "points"}, {"combined", name_of(p.combined)}};
  auto& axes = j["axes"] = Json::array();
  for (const auto& axis : p.axes) {
    auto values = Json::array(), numbers = Json::array();
    for (const auto& v : axis.values) {
      values.push_back(shown_text(v.name));
      numbers.push_back(number(v.number));
    }
    axes.push_back({{"scale", to_json(axis.scale)}, {"names", values}, {"numbers", numbers}});
    if (axis.of_workloads) axes.back()["of_workloads"] = true;
  }
  auto& columns = j["columns"] = Json::array();
  for (const auto& c : p.columns) {
    auto column = to_json(c.scale);
    column["more_is_better"] = c.more_is_better;
    if (c.is_result) column["is_result"] = true;
    columns.push_back(std::move(column));
  }
  j["over"] = p.over ? Json(*p.over) : Json();
  j["by"] = p.by ? Json(*p.by) : Json();
  j["within"] = number(p.within);
  const auto rows = [](const std::vector<Points::Point>& of) {
    auto list = Json::array();
    for (const auto& point : of) {
      auto figures = Json::array();
      for (const auto& f : point.figures) figures.push_back(number(f));
      list.push_back({point.number, point.places, std::move(figures)});
    }
    return list;
  };
  j["points"] = rows(p.points);
  if (!p.mix.empty()) j["mix"] = {{"name", shown_text(p.mix_name)}, {"points", rows(p.mix)}};
  return j;
}

// Times as whole steps from the begin: few digits, and what touches in a run does so in the drawing.
Json to_json(const Lanes& l) {
  constexpr std::int64_t kSteps = 1'000'000'000;
  const auto step = std::max<std::int64_t>(1, (l.to - l.from) / kSteps);
  const auto steps = [&](std::int64_t t) { return (t - l.from) / step; };
  Json j{{"type", "lanes"},
         {"from", l.from},
         {"step", step},
         {"length", steps(l.to)},
         {"kinds", texts(l.kinds)}};
  auto& lanes = j["lanes"] = Json::array();
  for (const auto& lane : l.lanes) {
    Json from = Json::array(), to = Json::array(), kinds = Json::array();
    for (const auto& p : lane.pieces) {
      from.push_back(steps(p.from));
      to.push_back(steps(p.to));
      kinds.push_back(p.kind);
    }
    lanes.push_back({{"name", shown_text(lane.name)}, {"from", from}, {"to", to}, {"kinds", kinds}});
  }
  auto& arrows = j["arrows"] = Json::array();
  for (const auto& a : l.arrows)
    arrows.push_back({a.source, a.destination, steps(a.sent), steps(a.received), number(a.bytes)});
  return j;
}

}  // namespace

std::string page_data(const Report& report) {
  auto sections = Json::array();
  for (const auto& section : report.sections) {
    auto figures = Json::array();
    for (const auto& figure : section.figures) {
      auto j = std::visit([](const auto& content) { return to_json(content); }, figure.content);
      j["title"] = shown_text(figure.title);
      figures.push_back(std::move(j));
    }
    sections.push_back(std::move(figures));
  }
  const auto text = sections.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

}  // namespace busline::report
