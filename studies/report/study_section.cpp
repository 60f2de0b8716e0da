#include "studies/report/study_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/report/gathered_study.hpp"
#include "studies/report/study_figures.hpp"
#include "studies/report/study_sentences.hpp"

namespace busline::report {

namespace {

// What was asked; a name that the user gave goes before it.
std::string study_title(const GatheredStudy& g) {
  const auto& workloads = g.compared.workloads();
  const auto what =
      workloads.size() == 1 ? workloads.front().name : readable(std::uint64_t{workloads.size()}, "workload");
  const auto varied = g.varied();
  std::string asked;
  if (!workloads.empty())
    asked = varied.empty() ? fmt::format("Run times of {}", what)
                           : fmt::format("Effect of {} on {}", varied, what);
  if (asked.empty() || g.study.name.empty()) return g.study.name;
  constexpr std::string_view kUnnamed = "study";  // of a study that options describe
  return g.study.name == kUnnamed ? asked : fmt::format("{}: {}", g.study.name, asked);
}

}  // namespace

Expected<Section> study_section(const Store& store, double within) {
  const auto gathered = gather_study(store);
  if (!gathered) return tl::unexpected(gathered.error());
  const auto& g = *gathered;
  Section s{"study", study_title(g), store.path(), study_sentences(g, within)};
  s.facts = {{"points", readable(std::uint64_t{g.points.size()})}};
  for (const auto& axis : g.axes) {
    const auto& values = axis.axis.values;
    if (values.size() == 1) s.facts.emplace_back(axis.axis.scale.label, values.front().name);
    if (values.size() > 1)
      s.facts.emplace_back(axis.axis.scale.label, values.front().number
                                                      ? fmt::format("{} values, {} to {}", values.size(),
                                                                    values.front().name, values.back().name)
                                                      : fmt::format("{} values", values.size()));
  }
  if (std::any_of(g.points.begin(), g.points.end(), [](const auto& p) { return cost_of(p.outcome); }))
    s.figures.push_back(points_figure(g, within));
  if (auto states = states_figure(g)) s.figures.push_back(*std::move(states));
  if (std::any_of(g.points.begin(), g.points.end(), [](const auto& p) { return !p.outcome.is_done(); }))
    s.figures.push_back(failures_figure(g));
  return s;
}

}  // namespace busline::report
