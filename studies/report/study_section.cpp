#include "studies/report/study_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/report/gathered_study.hpp"
#include "studies/report/study_figures.hpp"
#include "studies/report/study_sentences.hpp"

namespace busline::report {

Expected<Section> study_section(const Store& store) {
  const auto gathered = gather_study(store);
  if (!gathered) return tl::unexpected(gathered.error());
  const auto& g = *gathered;
  Section s{"study", g.study.name, store.path(), study_sentences(g)};
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
  if (const auto* best = g.best()) s.figures.push_back(points_figure(g, *cost_of(best->outcome)));
  if (std::any_of(g.points.begin(), g.points.end(), [](const auto& p) { return !p.outcome.is_done(); }))
    s.figures.push_back(failures_figure(g));
  return s;
}

}  // namespace busline::report
