#include "measuring/method/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/base/quantile.hpp"

namespace busline::measure {
namespace {

// C(2m, m) / 4^m: the chance that of 2m fair coins m show heads.
double central_term(std::size_t m) {
  if (m < 32) {
    double term = 1;
    for (std::size_t k = 1; k <= m; ++k) term *= static_cast<double>(2 * k - 1) / static_cast<double>(2 * k);
    return term;
  }
  // Stirling's series; the first term left out is below 1e-9 of the sum. Exact enough and the same bits
  // everywhere, which lgamma is not.
  constexpr double kPi = 3.14159265358979323846;
  const double x = 1 / static_cast<double>(m);
  return (1 - x / 8 + x * x / 128 + 5 * x * x * x / 1024 - 21 * x * x * x * x / 32768) * std::sqrt(x / kPi);
}

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> v(samples.begin(), samples.end());
  std::sort(v.begin(), v.end());
  return v;
}

std::uint64_t beyond(std::span<const double> samples, Interval fences) {
  return static_cast<std::uint64_t>(std::count_if(
      samples.begin(), samples.end(), [&](double x) { return x < fences.low || x > fences.high; }));
}

}  // namespace

void RunningMoments::add(double x) {
  ++count_;
  const double before = x - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (x - mean_);
}

double RunningMoments::standard_deviation() const {
  return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

double RunningMoments::standard_error() const {
  return count_ < 2 ? 0 : standard_deviation() / std::sqrt(static_cast<double>(count_));
}

std::optional<std::size_t> median_interval_place(std::size_t n, double confidence) {
  SIM_ASSERT(confidence > 0 && confidence < 1);
  if (n == 0) return std::nullopt;
  // X is the number of samples below the median. P(X <= k) from the middle down. The interval from place k
  // to n - 1 - k misses the median with probability 2 P(X <= k).
  const double allowed = (1 - confidence) / 2;
  const std::size_t half = n / 2;
  const bool even = n % 2 == 0;
  std::size_t k = even ? half - 1 : half;
  // P(X = k): the term in the middle of the even row, or one step beside it; in an odd row both middle terms
  // are (2m + 1) / (2m + 2) of the middle one of the row before.
  const auto m = static_cast<double>(half);
  double term = even ? central_term(half) * m / (m + 1) : central_term(half) * (2 * m + 1) / (2 * m + 2);
  double chance = even ? (1 - central_term(half)) / 2 : 0.5;
  while (chance > allowed) {
    if (k == 0) return std::nullopt;
    chance -= term;
    term *= static_cast<double>(k) / static_cast<double>(n - k + 1);
    --k;
  }
  return k;
}

std::optional<Interval> median_interval(std::span<const double> ascending, double confidence) {
  const auto place = median_interval_place(ascending.size(), confidence);
  if (!place) return std::nullopt;
  return Interval{ascending[*place], ascending[ascending.size() - 1 - *place]};
}

Interval tukey_fences(std::span<const double> ascending) {
  const double low = quantile(ascending, 0.25), high = quantile(ascending, 0.75);
  return {low - 1.5 * (high - low), high + 1.5 * (high - low)};
}

std::vector<std::size_t> outliers(std::span<const double> samples) {
  std::vector<std::size_t> places;
  if (samples.empty()) return places;
  const auto fences = tukey_fences(sorted(samples));
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i] < fences.low || samples[i] > fences.high) places.push_back(i);
  return places;
}

std::size_t cut_at_each_end(std::size_t n, double cut_quantile) {
  SIM_ASSERT(cut_quantile >= 0 && cut_quantile < 0.5);
  // 0.29 * 100 is 28.999999999999996 in binary, and 29 is meant.
  const auto cut = static_cast<std::size_t>(cut_quantile * static_cast<double>(n) + 1e-9);
  return n <= 2 || 2 * cut >= n ? 0 : cut;
}

Estimate trimmed_mean(std::span<const double> ascending, double cut_quantile) {
  const auto cut = cut_at_each_end(ascending.size(), cut_quantile);
  RunningMoments kept;
  for (const double x : ascending.subspan(cut, ascending.size() - 2 * cut)) kept.add(x);
  return {kept.mean(), kept.standard_error()};
}

Summary summarise(std::span<const double> samples, double confidence) {
  Summary s;
  if (samples.empty()) return s;
  const auto ascending = sorted(samples);
  RunningMoments moments;
  for (const double x : ascending) moments.add(x);
  s.count = moments.count();
  s.min = ascending.front();
  s.p1 = quantile(ascending, 0.01);
  s.p10 = quantile(ascending, 0.10);
  s.p25 = quantile(ascending, 0.25);
  s.median = quantile(ascending, 0.50);
  s.p75 = quantile(ascending, 0.75);
  s.p90 = quantile(ascending, 0.90);
  s.p99 = quantile(ascending, 0.99);
  s.max = ascending.back();
  s.mean = moments.mean();
  s.standard_deviation = moments.standard_deviation();
  s.standard_error = moments.standard_error();
  s.median_interval = median_interval(ascending, confidence);
  s.outliers = beyond(ascending, tukey_fences(ascending));
  return s;
}

Summary summarise(std::span<const Duration> samples, double confidence) {
  return summarise(as_numbers(samples), confidence);
}

std::vector<double> as_numbers(std::span<const Duration> samples) {
  std::vector<double> numbers;
  numbers.reserve(samples.size());
  for (const auto d : samples) numbers.push_back(static_cast<double>(d.count()));
  return numbers;
}

}  // namespace busline::measure
