#include "studies/report/launch_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "documents/text/readable.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/tables/launch_table.hpp"

namespace busline::report {
namespace {

using namespace measure;

bool has_phases(const Suite& s) {
  return std::any_of(s.points.begin(), s.points.end(),
                     [](const measure::Point& p) { return p.launch && !p.launch->phases.empty(); });
}

Figure phases(const Suite& suite) {
  Bars bars{{"time since the launch", Unit::time}, {}, {}};
  for (const auto& [name, phase] : kPhaseNames) bars.parts.emplace_back(name);
  for (const auto& p : suite.points) {
    if (!p.launch) continue;
    Bars::Row row{readable(p.argument, "node"), std::vector<double>(bars.parts.size())};
    for (const auto& t : p.launch->phases)
      row.values[static_cast<std::size_t>(t.phase)] += static_cast<double>(t.critical.count());
    bars.rows.push_back(std::move(row));
  }
  return {"Phases of the launch",
          "How much later the last rank finishes a phase than the last rank finished the phase before.",
          std::move(bars)};
}

Figure over_nodes(const Suite& suite) {
  Chart chart{{"nodes", Unit::number, true}, {"time of a launch", Unit::time, false}, {}, false};
  Chart::Curve curve{suite.name, Chart::Style::line, {}};
  for (const auto& p : suite.points)
    curve.samples.push_back({static_cast<double>(p.argument), p.result_ps.value, {}, {}, ""});
  chart.curves.push_back(std::move(curve));
  return {"Launches by number of nodes", "", std::move(chart)};
}

std::string launch_sentence(const Suite& suite) {
  const auto& last = suite.points.back();
  auto text = fmt::format("{}: on {} a job is up after {}", suite.name, readable(last.argument, "node"),
                          readable(Duration::from_double(last.result_ps.value)));
  if (last.launch && !last.launch->phases.empty()) {
    const auto& all = last.launch->phases;
    const auto longest = std::max_element(
        all.begin(), all.end(), [](const auto& a, const auto& b) { return a.critical < b.critical; });
    for (const auto& [name, phase] : kPhaseNames)
      if (phase == longest->phase && last.result_ps.value > 0)
        text += fmt::format("; the phase '{}' takes {} of it", name,
                            percent(static_cast<double>(longest->critical.count()) / last.result_ps.value));
  }
  return text + ".";
}

}  // namespace

void add_launches(const Measurement& m, Section& section) {
  for (const auto& suite : m.suites) {
    if (suite.pattern != Pattern::startup || suite.points.empty()) continue;
    section.summary.push_back(launch_sentence(suite));
    if (suite.launch) section.facts.emplace_back("launched", to_text(*suite.launch));
    if (has_phases(suite)) section.figures.push_back(phases(suite));
    if (suite.points.size() > 1) section.figures.push_back(over_nodes(suite));
  }
}

}  // namespace busline::report
