// How good a platform's predictions are over several programs.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "validation/compare/run_comparison.hpp"

namespace busline::compare {

/// Real runs that differ more than this among themselves say little about a prediction.
inline constexpr double kMostSpread = 0.05;

/// Which runs count: what a limit that was fixed beforehand leaves. Places in the list of comparisons.
struct Judged {
  std::vector<std::size_t> counted;
  std::vector<std::size_t> scattered;    ///< whose real runs differ by more than the limit
  std::vector<std::size_t> unpredicted;  ///< whose replay did not come to its end
};
/// A single run has no spread, so that it counts.
Judged judge(std::span<const RunComparison> runs, double most_spread = kMostSpread);

/// Statistics of |error|, a share of the measured time. Quantiles are those of sim/base/quantile.hpp.
struct ErrorSummary {
  double median = 0, p90 = 0, worst = 0;
  std::size_t worst_run = 0;  ///< a place in the list of comparisons
  std::size_t intervals = 0;  ///< counted runs with a prediction interval
  std::size_t inside = 0;     ///< those whose measured time lies in it
};
/// Nothing if no run counts.
std::optional<ErrorSummary> summarise_errors(std::span<const RunComparison> runs, const Judged& judged);

}  // namespace busline::compare
