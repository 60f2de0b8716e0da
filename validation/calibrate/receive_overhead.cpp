#include "validation/calibrate/receive_overhead.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "validation/calibrate/suite_replay.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::Point;
using measure::RouteClass;
using measure::Suite;

constexpr double kAlikeTimes = 0.02;  // as a share of the measured time

const Suite* find(const std::vector<Suite>& suites, Pattern pattern, RouteClass where) {
  const auto at = std::find_if(suites.begin(), suites.end(), [=](const Suite& s) {
    return s.pattern == pattern && s.route_class == where && s.varies == measure::Varies::bytes &&
           !s.points.empty() && (pattern != Pattern::bandwidth || s.messages > 1);
  });
  return at == suites.end() ? nullptr : &*at;
}

const Point& smallest(const Suite& suite) {
  return *std::min_element(suite.points.begin(), suite.points.end(),
                           [](const Point& a, const Point& b) { return a.argument < b.argument; });
}

/// The figure from 0 to `most` with which the point is predicted as measured, where predictions grow with the
/// figure; nothing if it cannot be predicted.
std::optional<Duration> figure_for(const Suite& suite, const Point& point, Platform platform, Duration most,
                                   const std::function<Duration&(Platform&)>& figure) {
  Duration low, high = most;
  constexpr int kHalvings = 20;  // a millionth of the range
  for (int i = 0; i < kHalvings; ++i) {
    const auto middle = Duration::picoseconds((low.count() + high.count()) / 2);
    figure(platform) = middle;
    const auto predicted = predicted_result(suite, point, platform);
    if (!predicted) return std::nullopt;
    (*predicted < point.result_ps.value ? low : high) = middle;
  }
  return Duration::picoseconds((low.count() + high.count()) / 2);
}

}  // namespace

std::optional<Duration> receive_overhead(const std::vector<Suite>& suites, const Platform& platform) {
  const auto* window = find(suites, Pattern::bandwidth, RouteClass::inter_node);
  if (window == nullptr) return std::nullopt;
  const auto& point = smallest(*window);
  const auto without = predicted_result(*window, point, platform);
  const double measured = point.result_ps.value;
  if (!without || *without >= (1 - kAlikeTimes) * measured) return std::nullopt;
  return figure_for(
      *window, point, platform, Duration::from_double(2 * measured),
      [](Platform & p) -> auto& { return p.machines.front().nodes.front().overheads.receive; });
}

void settle_memory_latency(const std::vector<Suite>& suites, Platform& platform) {
  const auto* pingpong = find(suites, Pattern::pingpong, RouteClass::intra_node);
  if (pingpong == nullptr) return;
  const auto latency = [](Platform & p) -> auto& {
    return p.machines.front().nodes.front().intra_node.latency;
  };
  const auto& point = smallest(*pingpong);
  const auto predicted = predicted_result(*pingpong, point, platform);
  if (!predicted || std::abs(*predicted / point.result_ps.value - 1) <= kAlikeTimes) return;
  const auto most = Duration::from_double(2 * point.result_ps.value);
  if (const auto solved = figure_for(*pingpong, point, platform, most, latency)) latency(platform) = *solved;
}

}  // namespace busline::calibrate
