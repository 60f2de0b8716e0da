#include "validation/compare/error_summary.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/quantile.hpp"

namespace busline::compare {

Judged judge(std::span<const RunComparison> runs, double most_spread) {
  Judged judged;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].predicted_at_all())
      judged.unpredicted.push_back(i);
    else if (runs[i].spread().value_or(0) > most_spread)
      judged.scattered.push_back(i);
    else
      judged.counted.push_back(i);
  }
  return judged;
}

std::optional<ErrorSummary> summarise_errors(std::span<const RunComparison> runs, const Judged& judged) {
  if (judged.counted.empty()) return std::nullopt;
  ErrorSummary summary;
  summary.worst_run = judged.counted.front();
  std::vector<double> errors;
  for (const auto i : judged.counted) {
    if (runs[i].interval) {
      ++summary.intervals;
      if (runs[i].inside()) ++summary.inside;
    }
    errors.push_back(std::fabs(runs[i].error()));
    if (errors.back() <= summary.worst) continue;
    summary.worst = errors.back();
    summary.worst_run = i;
  }
  std::sort(errors.begin(), errors.end());
  summary.median = quantile(errors, 0.5);
  summary.p90 = quantile(errors, 0.9);
  return summary;
}

}  // namespace busline::compare
