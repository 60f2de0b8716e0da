#include "studies/report/study_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/study/study_report.hpp"

namespace busline::report {
namespace {

constexpr double kCloseToBest = 1.05;
constexpr double kMostLostWorthTelling = 0.01;  // a share of the run time

// How much an axis changes by itself: the largest over the smallest geometric mean of the points with one of
// its values. For values whose points are not all done nothing is reported, since the others then differ,
// too.
struct Effect {
  std::size_t axis = 0;
  double ratio = 1;
  std::string best, worst;
};

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

std::string effects_sentence(const GatheredStudy& g) {
  std::vector<Effect> effects;
  for (std::size_t i = 0; i < g.axes.size(); ++i)
    if (g.axes[i].varies())
      if (auto e = effect_of(g, g.axes[i], i)) effects.push_back(*std::move(e));
  if (effects.size() < 2) return "";
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return a.ratio > b.ratio; });
  auto text =
      fmt::format("The most important axis is {}: from {} to {} the time changes {:.2f}-fold on average",
                  g.study.labels[effects[0].axis], effects[0].best, effects[0].worst, effects[0].ratio);
  for (std::size_t i = 1; i < std::min<std::size_t>(effects.size(), 4); ++i)
    text += fmt::format("; {} {:.2f}-fold", g.study.labels[effects[i].axis], effects[i].ratio);
  return text + ".";
}

// "8 is the first value of network/buses ...": of an axis of numbers that is alone.
std::string enough_sentence(const GatheredStudy& g, double best) {
  std::size_t varying = g.axes.size(), count = 0;
  for (std::size_t i = 0; i < g.axes.size(); ++i)
    if (g.axes[i].varies()) varying = i, ++count;
  std::size_t close = 0, done = 0;
  const PointOutcome* least = nullptr;
  for (const auto& p : g.points) {
    const auto here = cost_of(p.outcome);
    if (!here) continue;
    ++done;
    if (*here > best * kCloseToBest) continue;
    ++close;
    if (count != 1) continue;
    const auto place = [&](const PointOutcome& point) {
      return g.axes[varying].places.at(point.values[varying].json);
    };
    if (least == nullptr || place(p) < place(*least)) least = &p;
  }
  if (done < 2) return "";
  if (least != nullptr && g.axes[varying].axis.values.front().number)
    return *cost_of(least->outcome) <= best
               ? std::string()
               : fmt::format("{} = {} is the first value within 5 % of the best.", g.study.labels[varying],
                             least->values[varying].name);
  return fmt::format("{} of {} points are within 5 % of the best.", readable(std::uint64_t{close}),
                     readable(std::uint64_t{done}));
}

}  // namespace

std::vector<std::string> study_sentences(const GatheredStudy& g) {
  std::vector<std::string> text;
  const auto failed = static_cast<std::uint64_t>(std::count_if(
      g.points.begin(), g.points.end(), [](const PointOutcome& p) { return !p.outcome.is_done(); }));
  const auto* best = g.best();
  if (best != nullptr) {
    text.push_back(fmt::format("The best point is {}: {}.", g.where(*best), result_text(best->outcome)));
    const auto* worst = g.slowest();
    if (worst != best)
      text.push_back(fmt::format("The slowest, {}, takes {:.2f} times as long: {}.", g.where(*worst),
                                 *cost_of(worst->outcome) / *cost_of(best->outcome),
                                 result_text(worst->outcome)));
    if (auto s = enough_sentence(g, *cost_of(best->outcome)); !s.empty()) text.push_back(std::move(s));
    // Where axes move together, or by chance, none changes anything by itself.
    if (g.combined == Points::Combined::product)
      if (auto s = effects_sentence(g); !s.empty()) text.push_back(std::move(s));
    if (const auto lost = lost_most(best->outcome); lost.share >= kMostLostWorthTelling)
      text.push_back(fmt::format("Even there, {} of the time is lost to {}.", percent(lost.share), lost.to));
  }
  if (g.points.size() < g.study.points)
    text.push_back(fmt::format("{} of {} points are simulated so far.",
                               readable(std::uint64_t{g.points.size()}), readable(g.study.points)));
  if (failed > 0)
    text.push_back(fmt::format("{} of {} points have no result; the reasons are below.", readable(failed),
                               readable(std::uint64_t{g.points.size()})));
  return text;
}

}  // namespace busline::report
