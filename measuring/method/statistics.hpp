// Statistics of repeated measurements of one thing. Values are finite numbers in one unit, the caller's (in
// the rest of measuring: picoseconds). docs/reference/measuring.md says which definition of each is
// used, and why.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/units.hpp"

namespace busline::measure {

/// A value and how far off it may be: one standard error, in the value's unit.
struct Estimate {
  double value = 0, standard_error = 0;
  bool operator==(const Estimate&) const = default;
};

/// Mean and spread of a stream, kept up to date sample by sample. Differences from the mean are squared, not
/// the samples themselves: with those (SKaLib manual, eq. 3.4) the digits that matter cancel.
/// Source: B. P. Welford, Technometrics 4 (1962), p. 419.
class RunningMoments {
 public:
  void add(double x);
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// For the sample, with n - 1 (SKaLib manual, eq. 3.3); 0 for fewer than two samples.
  double standard_deviation() const;
  /// For the mean: standard deviation / sqrt(n) (eq. 3.2); 0 for fewer than two samples.
  double standard_error() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

struct Interval {
  double low = 0, high = 0;
  bool operator==(const Interval&) const = default;
};

inline constexpr double kConfidence = 0.95;

/// Places (from 0) of the two samples between which the true median lies with at least this `confidence`
/// (above 0, below 1), whatever the distribution: n - 1 - low is the higher one. Nothing if even the extremes
/// do not suffice (95 %: fewer than 6 samples). Cost: sqrt(n).
/// Source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 7.1: the number of samples below the
/// median is binomial with p = 1/2.
std::optional<std::size_t> median_interval_place(std::size_t n, double confidence = kConfidence);
/// The interval itself.
std::optional<Interval> median_interval(std::span<const double> ascending, double confidence = kConfidence);

/// Beyond them, by 1.5 times the middle half's width, samples are called outliers.
/// Source: J. W. Tukey, Exploratory Data Analysis (1977), 2D.
Interval tukey_fences(std::span<const double> ascending);
/// Places of the samples beyond the fences, in the order of `samples`. Inspect them; do not drop them.
std::vector<std::size_t> outliers(std::span<const double> samples);

/// How many samples are cut off at each end: floor(cut_quantile * n), or none where that would leave nothing
/// (n <= 2 or all cut). `cut_quantile` is from 0 to below 0.5 (SKaLib manual, 3.2.2).
std::size_t cut_at_each_end(std::size_t n, double cut_quantile);

/// Mean of the samples that are left and its standard error as if they were all there ever were: it is too
/// small (SKaMPI's number; the interval of the median has no such flaw).
Estimate trimmed_mean(std::span<const double> ascending, double cut_quantile);

/// Statistics of the samples of one measurement.
struct Summary {
  std::uint64_t count = 0;
  double min = 0, p1 = 0, p10 = 0, p25 = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, max = 0;
  double mean = 0, standard_deviation = 0, standard_error = 0;
  std::optional<Interval> median_interval;  ///< nothing: too few samples
  std::uint64_t outliers = 0;               ///< beyond Tukey's fences; counted in all of the above
  bool operator==(const Summary&) const = default;
};

/// Does not depend on the order of the samples, not even in the last bit. No samples: all 0. Cost: a sort.
Summary summarise(std::span<const double> samples, double confidence = kConfidence);
/// In picoseconds.
Summary summarise(std::span<const Duration> samples, double confidence = kConfidence);

/// As picoseconds.
std::vector<double> as_numbers(std::span<const Duration> samples);

}  // namespace busline::measure
