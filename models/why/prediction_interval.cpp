#include "models/why/prediction_interval.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/quantity.hpp"

namespace busline {
namespace {

// A figure's internal unit: ps, or s/byte for bandwidths, so that larger values mean more time.
template <class Parse, class ToNumber>
std::optional<double> number(const std::string& text, Parse parse, ToNumber to_number) {
  const auto value = parse(text);
  if (!value) return std::nullopt;
  return to_number(*value);
}

/// Relative distances of the lower and upper bound from the figure. Nothing if a bound is missing, or if the
/// platform's figure differs.
struct Doubt {
  double less = 0, more = 0;
};
template <class Parse, class ToNumber>
std::optional<Doubt> doubt_of(const CalibratedFigure& f, double platforms, Parse parse, ToNumber to_number) {
  const auto value = number(f.value, parse, to_number);
  const auto low = number(f.low, parse, to_number), high = number(f.high, parse, to_number);
  if (!value || !low || !high || *value <= 0 || std::abs(*value - platforms) > 1e-9 * platforms)
    return std::nullopt;
  const auto [least, most] = std::minmax(*low, *high);
  return Doubt{std::max(0., 1 - least / *value), std::max(0., most / *value - 1)};
}

}  // namespace

std::optional<PredictionInterval> prediction_interval(const Platform& platform, Time run_time,
                                                      const Slope& slope, Duration resolution) {
  if (!platform.calibration) return std::nullopt;
  const auto& network = platform.machines.front().network;
  const auto latency = static_cast<double>(network.latency.count());
  const auto ps = [](Duration d) { return static_cast<double>(d.count()); };
  const auto per_byte = [](Bandwidth b) { return 1 / b.in_bytes_per_second(); };
  PredictionInterval interval;
  double less = 0, more = 0;
  for (const auto& f : platform.calibration->figures) {
    std::optional<Doubt> doubt;
    double effect = 0;
    if (f.figure == "/network/latency") {
      doubt = doubt_of(f, latency, parse_duration, ps);
      effect = slope.latency * latency;
    } else if (f.figure == "/network/bandwidth") {
      doubt = doubt_of(f, per_byte(network.bandwidth), parse_bandwidth, per_byte);
      effect = slope.transfer;
    }
    if (!doubt) continue;
    less = std::hypot(less, doubt->less * effect);
    more = std::hypot(more, doubt->more * effect);
    interval.figures.push_back(f.figure);
  }
  if (interval.figures.empty()) return std::nullopt;
  interval.shortest = run_time + Duration::from_double(-less - static_cast<double>(resolution.count()));
  interval.longest = run_time + Duration::from_double(more + static_cast<double>(resolution.count()));
  return interval;
}

}  // namespace busline
