#include "validation/calibrate/missed_octaves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "sim/base/quantile.hpp"

namespace busline::calibrate {
namespace {

constexpr double kMissed = 0.15;  // what the check of a platform tolerates in an octave

}  // namespace

std::vector<MissedOctave> missed_octaves(const std::vector<CurvePoint>& points,
                                         const std::function<double(const CurvePoint&)>& fitted_ps) {
  struct Octave {
    std::set<std::uint64_t> sizes;
    std::vector<double> ratios;
  };
  std::map<int, Octave> octaves;
  for (const auto& p : points) {
    if (p.kind != CurveKind::message || p.samples_ps.size() == 1) continue;
    const double fitted = fitted_ps(p);
    if (fitted <= 0) continue;
    auto& o = octaves[static_cast<int>(std::bit_width(p.bytes))];
    o.sizes.insert(p.bytes);
    if (p.samples_ps.empty()) o.ratios.push_back(p.ps / fitted);
    for (const double sample : p.samples_ps) o.ratios.push_back(sample / fitted);
  }
  std::vector<MissedOctave> missed;
  for (auto& [number, o] : octaves) {
    std::sort(o.ratios.begin(), o.ratios.end());
    const auto at = [&ratios = o.ratios](double share) { return quantile(ratios, share); };
    const MissedOctave m{*o.sizes.begin(), *o.sizes.rbegin(), o.sizes.size(), at(0.5), at(0.25), at(0.75)};
    if (m.ratio > 0 && std::abs(std::log(m.ratio)) <= std::log(1 + kMissed)) continue;
    if (m.low > 1 || m.high < 1) missed.push_back(m);
  }
  return missed;
}

}  // namespace busline::calibrate
