#include "validation/calibrate/sharing_misfit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "measuring/method/statistics.hpp"
#include "validation/calibrate/robust_fit.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Point;
using measure::Suite;

constexpr double kWhole = 0.03;      // what a suite may be off as a whole: it is another benchmark
constexpr double kPoint = 0.01;      // what a point may be off beyond its standard error
constexpr double kOneSample = 0.1;   // what a single sample may be off
constexpr int kOffsetRounds = 12;    // reweighted least squares
constexpr double kImpossible = 1e9;  // the misfit of a machine that cannot run a suite

// The last of n ranks scatters less than each of them: the variance of the largest of n normal variables is 1
// / (1 + 0.9 ln n) of that of one, to 11 % up to n = 64 (L. H. C. Tippett, Biometrika 17 (1925), 364-387).
double rank_over_last(double ranks) {
  return std::sqrt(1 + 0.9 * std::log(ranks));
}

// The standard error of the mean of the middle half of the samples, as a share of it: that of the winsorised
// samples over the share that is kept (J. W. Tukey, D. H. McLaughlin, Sankhya A 25 (1963), 331-352). The
// point's own is that of the kept samples alone: half of it. Nothing for less than two samples.
std::optional<double> middle_error(const Point& point) {
  std::vector<double> samples;
  for (const auto s : point.samples) samples.push_back(static_cast<double>(s.count()));
  if (samples.size() < 2) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  constexpr double kQuarter = 0.25;
  const auto cut = measure::cut_at_each_end(samples.size(), kQuarter);
  const auto kept = static_cast<double>(samples.size() - 2 * cut);
  measure::RunningMoments moments;
  const double lowest = samples[cut], highest = samples[samples.size() - 1 - cut];
  for (const double s : samples) moments.add(std::clamp(s, lowest, highest));
  if (moments.mean() <= 0) return std::nullopt;
  return moments.standard_error() * static_cast<double>(samples.size()) / kept / moments.mean();
}

double relative_error(const Suite& suite, const Point& point, double chance) {
  // The fastest of n samples is above what the network can do by an n-th of their scatter.
  if (const double scattered = sample_spread(point, chance); scattered > 0)
    return std::hypot(kPoint, std::max(kOneSample, scattered / static_cast<double>(point.samples.size())));
  const auto times = measured_times(suite, point, chance);
  const auto ranks = static_cast<double>(times.ps.size());
  double measured = point.result_ps.value > 0 ? point.result_ps.standard_error / point.result_ps.value : 0;
  measured = middle_error(point).value_or(measured);
  if (times.by_rank && suite.time == measure::TimeOf::max_over_ranks) measured *= rank_over_last(ranks);
  // A single sample gives no estimate of its error.
  const double unknown = point.count == 1 ? kOneSample : 0;
  return std::hypot(kPoint, measured / std::sqrt(ranks), unknown);
}

// Chi squared with Huber's loss, the best common offset taken off at its price. That grows as slowly as the
// loss of a point: what makes a suite as a whole slower, such as both directions of a card at once, is no
// reason to find buses in steps that take equally long.
double misfit_of(const Suite& suite, const Platform& platform, double chance) {
  std::vector<double> ratios, errors;
  double weighted = 0, weight = 0;
  for (const auto& point : suite.points) {
    const auto ratio = log_ratio(suite, point, platform, chance);
    if (!ratio) return kImpossible;
    const double error = relative_error(suite, point, chance);
    ratios.push_back(*ratio);
    errors.push_back(error);
    weighted += *ratio / (error * error);
    weight += 1 / (error * error);
  }
  double offset = 0;
  for (int round = 0; round < kOffsetRounds; ++round)
    offset = weighted / (weight + huber_weight(offset / kWhole) / (kWhole * kWhole));
  for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] = (ratios[i] - offset) / errors[i];
  ratios.push_back(offset / kWhole);
  return misfit(ratios, 1);
}

}  // namespace

std::optional<double> log_ratio(const Suite& suite, const Point& point, const Platform& platform,
                                double chance) {
  const auto measured = measured_times(suite, point, chance);
  const auto predicted = predicted_times(suite, point, platform, measured.by_rank);
  if (!predicted || predicted->ps.size() != measured.ps.size()) return std::nullopt;
  // When the calls of the rank that sends to all others return depends on the buffers of the system, too.
  const bool sender_first = suite.pattern == measure::Pattern::node_flows &&
                            suite.varies == measure::Varies::ranks && measured.by_rank;
  const std::size_t first = sender_first ? 1 : 0;
  double sum = 0;
  for (auto i = first; i < measured.ps.size(); ++i) {
    if (measured.ps[i] <= 0 || predicted->ps[i] <= 0) return std::nullopt;
    sum += std::log(measured.ps[i] / predicted->ps[i]);
  }
  return sum / static_cast<double>(measured.ps.size() - first);
}

double sharing_misfit(const Suites& suites, const Platform& platform, double chance) {
  double sum = 0;
  for (const auto* suite : suites) sum += misfit_of(*suite, platform, chance);
  return sum;
}

}  // namespace busline::calibrate
