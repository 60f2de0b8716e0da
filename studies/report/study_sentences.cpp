#include "studies/report/study_sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/report/study_effects.hpp"
#include "studies/study/study_report.hpp"

namespace busline::report {
namespace {

constexpr double kMostLostWorthTelling = 0.01;  // a share of the run time

std::string effects_sentence(const GatheredStudy& g) {
  const auto effects = effects_of(g);
  if (effects.size() < 2) return "";
  auto text =
      fmt::format("The most important axis is {}: from {} to {} the time changes {:.2f}-fold on average",
                  g.study.labels[effects[0].axis], effects[0].best, effects[0].worst, effects[0].ratio);
  for (std::size_t i = 1; i < std::min<std::size_t>(effects.size(), 4); ++i)
    text += fmt::format("; {} {:.2f}-fold", g.study.labels[effects[i].axis], effects[i].ratio);
  return text + ".";
}

// "8 is the first value of network/buses ...": of an axis of numbers that is alone.
std::string enough_sentence(const GatheredStudy& g, double best, double within) {
  std::size_t varying = g.axes.size(), count = 0;
  for (std::size_t i = 0; i < g.axes.size(); ++i)
    if (g.axes[i].varies()) varying = i, ++count;
  std::size_t close = 0, done = 0;
  const PointOutcome* least = nullptr;
  for (const auto& p : g.points) {
    const auto here = cost_of(p.outcome);
    if (!here) continue;
    ++done;
    if (*here > best * (1 + within)) continue;
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
               : fmt::format("{} = {} is the first value within {:g} % of the best.", g.study.labels[varying],
                             least->values[varying].name, within * 100);
  return fmt::format("{} of {} points are within {:g} % of the best.", readable(std::uint64_t{close}),
                     readable(std::uint64_t{done}), within * 100);
}

constexpr std::size_t kMostWorkloadsTold = 6;

// "0.31 of the base's time", where there is a base.
std::string against_base(const GatheredStudy& g, const PointOutcome& p) {
  const auto ratio = g.compared.to_base(p);
  return ratio ? fmt::format("{:.3f} of its time at the base", *ratio) : result_text(p.outcome);
}

// What is best for each of several workloads, and for all of them.
void tell_workloads(const GatheredStudy& g, std::vector<std::string>& text) {
  const auto& workloads = g.compared.workloads();
  if (!g.compared.compares()) {
    text.emplace_back("Each point has another workload: their run times are not compared.");
    return;
  }
  if (const auto* mix = g.compared.best_mix())
    text.push_back(fmt::format("For {}, {} is best: {:.3f} of the time at the base.", mix_name(g),
                               g.choice(mix->first), mix->to_base));
  std::size_t told = 0;
  for (const auto& w : workloads)
    if (w.best && ++told <= kMostWorkloadsTold)
      text.push_back(
          fmt::format("{} is fastest with {}: {}.", w.name, g.choice(*w.best), against_base(g, *w.best)));
  if (told > kMostWorkloadsTold)
    text.push_back(fmt::format("The best of {} more workloads are in the table.", told - kMostWorkloadsTold));
}

void tell_one_workload(const GatheredStudy& g, double within, std::vector<std::string>& text) {
  const auto& workload = g.compared.workloads().front();
  const auto* best = workload.best ? &*workload.best : nullptr;
  if (best == nullptr) return;
  text.push_back(fmt::format("The best point is {}: {}.", g.where(*best), result_text(best->outcome)));
  const auto* worst = g.slowest(workload);
  if (worst->point != best->point)
    text.push_back(fmt::format("The slowest, {}, takes {:.2f} times as long: {}.", g.where(*worst),
                               *cost_of(worst->outcome) / *cost_of(best->outcome),
                               result_text(worst->outcome)));
  if (auto s = enough_sentence(g, *cost_of(best->outcome), within); !s.empty()) text.push_back(std::move(s));
}

}  // namespace

std::string mix_name(const GatheredStudy& g) {
  std::vector<std::string> weights;
  bool equal = true;
  for (const auto& w : g.compared.workloads()) {
    equal = equal && w.weight == 1;
    if (w.weight > 0) weights.push_back(fmt::format("{} {:g}", w.name, w.weight));
  }
  return equal ? "all workloads together" : fmt::format("the mix {}", fmt::join(weights, ", "));
}

std::vector<std::string> study_sentences(const GatheredStudy& g, double within) {
  std::vector<std::string> text;
  const auto failed = static_cast<std::uint64_t>(std::count_if(
      g.points.begin(), g.points.end(), [](const PointOutcome& p) { return !p.outcome.is_done(); }));
  if (g.compared.several())
    tell_workloads(g, text);
  else if (!g.compared.workloads().empty())
    tell_one_workload(g, within, text);
  if (auto s = effects_sentence(g); !s.empty()) text.push_back(std::move(s));
  if (g.compared.workloads().size() == 1)
    if (const auto& best = g.compared.workloads().front().best)
      if (const auto lost = lost_most(best->outcome); lost.share >= kMostLostWorthTelling)
        text.push_back(
            fmt::format("Even there, {} of the time is lost to {}.", percent(lost.share), lost.to));
  if (g.points.size() < g.study.points)
    text.push_back(fmt::format("{} of {} points are simulated so far.",
                               readable(std::uint64_t{g.points.size()}), readable(g.study.points)));
  if (failed > 0)
    text.push_back(fmt::format("{} of {} points have no result; the reasons are below.", readable(failed),
                               readable(std::uint64_t{g.points.size()})));
  return text;
}

}  // namespace busline::report
