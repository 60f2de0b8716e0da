#include "validation/calibrate/better_explanation.hpp"

#include <cmath>

#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {

std::optional<int> better_explanation(const std::vector<measure::Suite>& suites, const Platform& first,
                                      const Platform& second,
                                      const std::function<bool(const measure::Suite&)>& counts) {
  // Distances of predicted from measured times are logarithms: a factor of two is 0.7.
  constexpr double kDifferent = 0.05, kATenth = 0.1;
  double first_misses = 0, second_misses = 0;
  std::uint32_t points = 0;
  for (const auto& suite : suites) {
    if (!counts(suite)) continue;
    for (const auto& point : suite.points) {
      const auto a = predicted_result(suite, point, first), b = predicted_result(suite, point, second);
      if (!a || !b || *a <= 0 || *b <= 0 || std::abs(std::log(*a / *b)) < kDifferent) continue;
      first_misses += std::abs(std::log(*a / point.result_ps.value));
      second_misses += std::abs(std::log(*b / point.result_ps.value));
      ++points;
    }
  }
  if (std::abs(first_misses - second_misses) <= kATenth * points) return std::nullopt;
  return second_misses < first_misses ? 1 : 0;
}

}  // namespace busline::calibrate
