#include "validation/calibrate/suite_replay.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "measuring/measurement/variation.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/quantile.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline::calibrate {
namespace {

using measure::KernelSamples;
using measure::Pattern;
using measure::Point;
using measure::Suite;

std::optional<KernelSamples> run(const Suite& suite, const Kernel& kernel, const Platform& platform) {
  if (kernel.ranks.empty() || suite.nodes.size() < kernel.ranks.size()) return std::nullopt;
  auto placed = platform;
  placed.mapping = mapping_of(suite, kernel.ranks.size());
  auto testbed = SimulatedTestbed::create(std::move(placed), static_cast<std::uint32_t>(kernel.ranks.size()));
  if (!testbed) return std::nullopt;
  auto samples = (*testbed)->run(kernel, {});
  if (!samples || samples->empty() || samples->front().empty()) return std::nullopt;
  return *std::move(samples);
}

bool has_times_by_rank(const Suite& suite, const Point& point) {
  const auto kernel = kernel_of(suite, point);
  return !point.node_results_ps.empty() && point.node_results_ps.size() == kernel.ranks.size();
}

}  // namespace

Kernel kernel_of(const Suite& suite, const Point& point) {
  Kernel kernel;
  kernel.operation = suite.operation;
  kernel.ranks.resize(suite.ranks.size());
  std::iota(kernel.ranks.begin(), kernel.ranks.end(), 0U);
  kernel.bytes = suite.bytes.value_or(0);
  kernel.chunks = suite.chunks.value_or(1);
  kernel.messages = suite.messages;
  measure::variation_of(suite.varies).apply(kernel, point.argument);
  return kernel;
}

Mapping mapping_of(const Suite& suite, std::size_t ranks) {
  Mapping mapping;
  mapping.kind = Mapping::Kind::nodes;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < ranks; ++i)
    mapping.nodes.push_back(numbers.emplace(suite.nodes[i], numbers.size()).first->second);
  return mapping;
}

double sample_range(const Point& point) {
  if (point.samples.size() < 2) return 0;
  const auto [fastest, slowest] = std::minmax_element(point.samples.begin(), point.samples.end());
  if (fastest->count() <= 0) return 0;
  return std::log(static_cast<double>(slowest->count()) / static_cast<double>(fastest->count())) / 2;
}

double middle_range(const Point& point) {
  std::vector<double> logarithms;
  for (const auto sample : point.samples)
    if (sample.count() > 0) logarithms.push_back(std::log(static_cast<double>(sample.count())));
  if (logarithms.size() < 2) return 0;
  std::sort(logarithms.begin(), logarithms.end());
  return quantile(logarithms, 0.75) - quantile(logarithms, 0.25);
}

double chance_of(const std::vector<Suite>& suites, measure::RouteClass where) {
  std::vector<double> ranges;
  for (const auto& suite : suites) {
    if (suite.pattern != Pattern::pingpong || suite.route_class != where) continue;
    for (const auto& p : suite.points)
      if (p.samples.size() > 1) ranges.push_back(middle_range(p));
  }
  return median(std::move(ranges));
}

double sample_spread(const Point& point, double chance) {
  constexpr double kAlike = 1.1;
  constexpr double kBeyondChance = 2;  // the quartiles of few samples are known to a factor
  const double range = 2 * sample_range(point);
  return range > std::log(kAlike) && middle_range(point) > kBeyondChance * chance ? range : 0;
}

double fastest_ps(const Suite& suite, const Point& point) {
  if (point.samples.empty()) return point.result_ps.value;
  const auto fastest = *std::min_element(point.samples.begin(), point.samples.end());
  return static_cast<double>(fastest.count()) - suite.overhead_ps.value;
}

PointTimes measured_times(const Suite& suite, const Point& point, double chance) {
  if (sample_spread(point, chance) > 0) return {{fastest_ps(suite, point)}, false};
  if (has_times_by_rank(suite, point)) return {point.node_results_ps, true};
  return {{point.result_ps.value}, false};
}

std::optional<double> predicted_result(const Suite& suite, const Point& point, const Platform& platform) {
  const auto kernel = kernel_of(suite, point);
  const auto samples = run(suite, kernel, platform);
  if (!samples) return std::nullopt;
  return static_cast<double>(measure::sample_times(*samples, kernel, suite.time).front().count());
}

std::optional<PointTimes> predicted_times(const Suite& suite, const Point& point, const Platform& platform,
                                          bool by_rank) {
  const auto kernel = kernel_of(suite, point);
  const auto samples = run(suite, kernel, platform);
  if (!samples) return std::nullopt;
  if (!by_rank) {
    const auto time = measure::sample_times(*samples, kernel, suite.time).front();
    return PointTimes{{static_cast<double>(time.count())}, false};
  }
  PointTimes times{{}, true};
  for (const auto& of_rank : *samples)
    times.ps.push_back(static_cast<double>(of_rank.front().length().count()) / kernel.messages);
  return times;
}

}  // namespace busline::calibrate
