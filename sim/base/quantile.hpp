// Quantiles of a sample.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/assert.hpp"

namespace busline {

/// The value below which a share `p` (0 to 1) of the samples lies, which must be ascending and at least one:
/// linear between the samples around place (n - 1) p, as R and NumPy do by default.
/// Source: R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, Am. Stat. 50 (1996),
/// definition 7.
inline double quantile(std::span<const double> ascending, double p) {
  SIM_ASSERT(!ascending.empty() && p >= 0 && p <= 1);
  const double place = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= ascending.size()) return ascending.back();
  return std::lerp(ascending[below], ascending[below + 1], place - static_cast<double>(below));
}

/// The median of values in any order; 0 for none.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : quantile(values, 0.5);
}

/// The standard deviation of normally distributed errors from their sizes, in any order; outliers hardly
/// count. Source: P. J. Rousseeuw, C. Croux, J. Am. Stat. Assoc. 88 (1993), p. 1273.
inline double deviation_by_median(std::vector<double> sizes) {
  return 1.4826 * median(std::move(sizes));
}

}  // namespace busline
