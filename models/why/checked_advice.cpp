#include "models/why/checked_advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace busline {
namespace {

struct Base {
  double jitter;
  std::uint64_t seed;
};
constexpr std::array<Base, 2> kBases{{{0.01, 1}, {0.005, 2}}};
constexpr std::size_t kNoBase = kBases.size();  // the explained run itself

struct ChangeLevel {
  double better;  // by how much; below 0: worse
  std::size_t base;
};
// In each direction, so that both have runs of both bases.
constexpr std::array<ChangeLevel, 6> kLevels{
    {{kAdvisedChange, kNoBase}, {0.05, 0}, {0.01, 1}, {-0.01, 0}, {-0.05, 1}, {-kAdvisedChange, kNoBase}}};

std::vector<AdviceFigure> advisable_figures(const Platform& platform) {
  std::vector<AdviceFigure> figures{AdviceFigure::cpu_speed};
  const auto& network = platform.machines.front().network;
  if (!network.topology && !network.bandwidth.is_unlimited()) figures.push_back(AdviceFigure::bandwidth);
  if (network.latency > Duration()) figures.push_back(AdviceFigure::latency);
  return figures;
}

/// The change of the figure itself.
double change_of(AdviceFigure figure, double better) {
  return figure == AdviceFigure::latency ? -better : better;
}

/// The relative growth of what the run time is linear in at a fixed order of events: latency, 1 / bandwidth
/// or 1 / speed.
double cost_growth(AdviceFigure figure, double better) {
  return figure == AdviceFigure::latency ? -better : 1 / (1 + better) - 1;
}

Variation variation_of(AdviceFigure figure, double better) {
  Variation v;
  const auto factor = 1 + change_of(figure, better);
  (figure == AdviceFigure::latency     ? v.latency
   : figure == AdviceFigure::bandwidth ? v.bandwidth
                                       : v.cpu_speed) = factor;
  return v;
}

/// The time that the run would grow by if the cost doubled.
double cost_slope(const Platform& platform, AdviceFigure figure, const Slope& slope) {
  switch (figure) {
    case AdviceFigure::cpu_speed:
      return slope.compute;
    case AdviceFigure::bandwidth:
      return slope.transfer;
    case AdviceFigure::latency:
      break;
  }
  return slope.latency * static_cast<double>(platform.machines.front().network.latency.count());
}

/// A line through the origin, by least squares: of the effects over the growth of the cost.
struct Line {
  double slope = 0, squares = 0;  // of the growths
  double misfit = 0;              // sum of the squared distances from the line
};

Line line_through(AdviceFigure figure, std::span<const ChangeLevel> levels, std::span<const double> effects) {
  Line line;
  double products = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto growth = cost_growth(figure, levels[i].better);
    line.squares += growth * growth;
    products += growth * effects[i];
  }
  line.slope = products / line.squares;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto distance = effects[i] - line.slope * cost_growth(figure, levels[i].better);
    line.misfit += distance * distance;
  }
  return line;
}

/// Improvements and deteriorations have a line each, since other resources may limit them; both tell how far
/// runs are scattered. The interval is a tolerance interval: it holds nine tenths of the runs with 99 %
/// confidence, where distances from the line are normally distributed. Source: W. G. Howe, Two-sided
/// tolerance limits for normal populations, J. Am. Stat. Assoc. 64 (1969), p. 610.
void judge(Advice& a, std::span<const double> effects) {
  constexpr double kNormal95 = 1.645, kChiSquared1 = 0.2971;  // quantiles; of 4 degrees of freedom
  constexpr double kFree = kLevels.size() - 2;
  constexpr auto kHalf = kLevels.size() / 2;
  const std::span<const ChangeLevel> levels(kLevels);
  const auto better = line_through(a.figure, levels.first(kHalf), effects.first(kHalf));
  const auto worse = line_through(a.figure, levels.last(kHalf), effects.last(kHalf));
  const double deviation = std::sqrt((better.misfit + worse.misfit) / kFree);
  const auto growth = cost_growth(a.figure, kAdvisedChange);
  a.median = better.slope * growth;
  const double reach =
      deviation * kNormal95 * std::sqrt(kFree * (1 + growth * growth / better.squares) / kChiSquared1);
  a.by_a_run = effects.front();
  a.shortest = std::min(a.median - reach, a.by_a_run);
  a.longest = std::max(a.median + reach, a.by_a_run);
}

}  // namespace

std::string_view description_of(AdviceFigure figure) {
  switch (figure) {
    case AdviceFigure::cpu_speed:
      return "10 % faster CPUs";
    case AdviceFigure::bandwidth:
      return "10 % more bandwidth";
    case AdviceFigure::latency:
      break;
  }
  return "10 % less latency";
}

std::vector<Variation> advice_variations(const Platform& platform) {
  std::vector<Variation> all(kBases.size());
  for (const auto figure : advisable_figures(platform))
    for (const auto& level : kLevels) all.push_back(variation_of(figure, level.better));
  const auto jitter = [](Variation& v, std::size_t base) {
    if (base == kNoBase) return;
    v.jitter = kBases[base].jitter;
    v.jitter_seed = kBases[base].seed;
  };
  for (std::size_t i = 0; i < kBases.size(); ++i) jitter(all[i], i);
  for (std::size_t i = kBases.size(); i < all.size(); ++i)
    jitter(all[i], kLevels[(i - kBases.size()) % kLevels.size()].base);
  return all;
}

std::vector<Advice> advice_of(const Platform& platform, Time run_time, const Slope& slope,
                              std::span<const std::optional<Time>> run_times) {
  std::vector<Advice> all;
  std::array<std::optional<Time>, kBases.size() + 1> bases;
  std::copy_n(run_times.begin(), kBases.size(), bases.begin());
  bases[kNoBase] = run_time;
  auto changed = run_times.begin() + kBases.size();
  for (const auto figure : advisable_figures(platform)) {
    Advice a;
    a.figure = figure;
    std::vector<double> effects;
    for (const auto& level : kLevels) {
      const auto& base = bases[level.base];
      const auto& run = *changed++;
      if (!base || !run || *base <= Time::zero()) continue;
      effects.push_back(static_cast<double>((*run - *base).count()) / static_cast<double>(base->count()));
      a.checks.push_back({change_of(figure, level.better),
                          level.base == kNoBase ? 0 : kBases[level.base].jitter, effects.back()});
    }
    if (effects.size() < kLevels.size()) continue;
    a.by_slope = cost_slope(platform, figure, slope) * cost_growth(figure, kAdvisedChange) /
                 static_cast<double>(run_time.count());
    judge(a, effects);
    all.push_back(std::move(a));
  }
  return all;
}

}  // namespace busline
