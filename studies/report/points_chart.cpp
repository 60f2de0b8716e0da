#include "studies/report/points_chart.hpp"

#include <algorithm>
#include <cstddef>

namespace busline::report {

PointsChart points_chart(const Points& p) {
  std::vector<std::size_t> varying;
  for (std::size_t i = 0; i < p.axes.size(); ++i)
    if (p.axes[i].values.size() > 1) varying.push_back(i);
  PointsChart all;
  auto& chart = all.chart;
  if (varying.empty() || p.columns.empty()) return all;
  const auto of_workloads = [&](std::size_t axis) { return p.axes[axis].of_workloads; };
  if (p.over) {
    const auto over = std::find(varying.begin(), varying.end(), *p.over);
    if (over != varying.end()) std::rotate(varying.begin(), over, over + 1);
  }
  // A curve for each workload, or else for each value of what matters next.
  auto next = std::find_if(varying.begin() + 1, varying.end(), of_workloads);
  if (next == varying.end() && p.by) next = std::find(varying.begin() + 1, varying.end(), *p.by);
  if (next != varying.end()) std::rotate(varying.begin() + 1, next, next + 1);
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
    if (p.combined == Points::Combined::sampled || over.of_workloads)
      chart.curves[i].style = Chart::Style::points;
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

}  // namespace busline::report
