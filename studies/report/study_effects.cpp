#include "studies/report/study_effects.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace busline::report {
namespace {

std::optional<Effect> effect_of(const GatheredStudy& g, const StudyAxis& axis, std::size_t number) {
  struct Sum {
    double logs = 0;
    std::size_t done = 0, points = 0;
  };
  std::vector<Sum> sums(axis.axis.values.size());
  for (const auto& p : g.points) {
    auto& sum = sums[axis.places.at(p.values[number].json)];
    ++sum.points;
    if (const auto here = cost_of(p.outcome)) {
      sum.logs += std::log(*here);
      ++sum.done;
    }
  }
  Effect e{number, 1, "", ""};
  double least = 0, most = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].done == 0 || sums[i].done != sums[i].points) continue;
    const auto mean = sums[i].logs / static_cast<double>(sums[i].done);
    if (e.best.empty() || mean < least) least = mean, e.best = axis.axis.values[i].name;
    if (e.worst.empty() || mean > most) most = mean, e.worst = axis.axis.values[i].name;
  }
  if (e.best.empty()) return std::nullopt;
  e.ratio = std::exp(most - least);
  return e;
}

}  // namespace

std::vector<Effect> effects_of(const GatheredStudy& g) {
  std::vector<Effect> effects;
  if (g.combined != Points::Combined::product) return effects;
  for (std::size_t i = 0; i < g.axes.size(); ++i)
    if (g.axes[i].varies() && !g.axes[i].axis.of_workloads)
      if (auto e = effect_of(g, g.axes[i], i)) effects.push_back(*std::move(e));
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return a.ratio > b.ratio; });
  return effects;
}

}  // namespace busline::report
