// Two measurements of the same things: curve by curve, and for links pair by pair. docs/how-to/validating.md
// says what the figures mean.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::compare {

/// A point that both have, with results above 0.
struct MatchedPoint {
  std::uint64_t argument = 0;
  std::vector<std::uint32_t> ranks;  ///< of a pair; empty: the suite's
  double first_ps = 0, second_ps = 0;
  double log_ratio() const;  ///< ln(second / first)
};

/// A suite that both have.
struct SuiteComparison {
  std::string suite;
  measure::Varies varies = measure::Varies::bytes;
  std::vector<MatchedPoint> points;
  std::uint64_t unmatched = 0;             ///< points that only one has, or whose result is 0
  double median = 0, p95 = 0;              ///< of |log_ratio()|
  double bias = 0;                         ///< median of log_ratio(): above 0 the second is slower
  std::size_t worst = 0;                   ///< place of the point with the largest |log_ratio()|
  std::optional<double> rank_correlation;  ///< Spearman's, of at least three points
  /// For pairs of ranks: how many of the slowest `links` of each are the same.
  std::uint64_t links = 0, links_in_common = 0;
};

struct MeasurementComparison {
  std::vector<SuiteComparison> suites;  ///< in the first's order; those with a point that both have
  std::vector<std::string> only_first, only_second;  ///< suites that cannot be compared
  double median = 0, p95 = 0;                        ///< of |log_ratio()| over all points; 0 without any
};

/// Suites go by their name. Errors: suites of one name that did not measure the same thing (operation,
/// pattern, what a sample is the time of, what varies, bytes, messages); no point that both have. Cost: n log
/// n.
Expected<MeasurementComparison> compare_measurements(const measure::Measurement& first,
                                                     const measure::Measurement& second);

/// Spearman's coefficient: the correlation of the places in order, equal values at the mean of theirs.
/// Nothing for fewer than three pairs of values, or where one side is all the same. Both are of one length.
/// Source: C. Spearman, Am. J. Psychology 15 (1904), p. 72.
std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace busline::compare
