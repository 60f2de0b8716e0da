#include "validation/calibrate/bus_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "validation/calibrate/shared_part.hpp"
#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

constexpr double kFlat = 0.05;

/// By step, in the suite's order.
std::vector<double> capacities(const measure::Suite& suite, Bandwidth bandwidth) {
  const auto transfer = static_cast<double>((Bytes{suite.bytes.value_or(0)} / bandwidth).count());
  std::vector<double> all;
  for (const auto& point : suite.points)
    if (const double ps = fastest_ps(suite, point); ps > 0)
      all.push_back(messages_of_a_pair(suite) * static_cast<double>(point.argument) * transfer / ps);
  return all;
}

bool is_flat(const std::vector<double>& c, double most) {
  if (c.size() < 2) return false;
  const double last = c.back(), before = c[c.size() - 2];
  return std::abs(last / before - 1) <= kFlat && last < (1 - kFlat) * most;
}

}  // namespace

CountFit buses_by_capacity(const Suites& pairs, const Platform& platform) {
  const auto& network = platform.machines.front().network;
  CountFit fit;
  fit.measured = !pairs.empty();
  fit.suites = suite_names(pairs);
  fit.most_at_once = most_at_once(pairs);
  double largest = 1;
  bool flat = false;
  for (const auto* suite : pairs) {
    const auto c = capacities(*suite, network.bandwidth);
    if (c.empty()) continue;
    flat = is_flat(c, most_at_once({suite}));
    largest = std::max(largest, flat ? c.back() : *std::max_element(c.begin(), c.end()));
  }
  fit.at_least = static_cast<Count>(std::ceil(largest - kFlat * largest));
  if (flat) fit.value = fit.at_least = fit.at_most = static_cast<Count>(std::lround(largest));
  return fit;
}

}  // namespace busline::calibrate
