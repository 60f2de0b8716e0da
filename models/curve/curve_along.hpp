// The curves for users: over the network's latency, its bandwidth, the speed of CPUs.
#pragma once
#include <cstdint>
#include <string_view>

#include "models/curve/run_time_curve.hpp"

namespace busline {

/// The parameter to change, everywhere: /network/latency and /network/bandwidth of each machine, /nodes/speed
/// of each group of nodes. Groups with a latency keep it.
enum class CurveAxis { latency, bandwidth, speed };

/// Its two ends, the better one first: seconds (0 or more), bytes per second (above 0), or a factor on the
/// platform's speeds (above 0). Bandwidth and speed may be infinite.
struct CurveRange {
  CurveAxis axis = CurveAxis::latency;
  double from = 0, to = 0;

  /// The position of a value in [0, 1]: linear in latency, in the time per byte, and in the time of a burst.
  double place_of(double value) const;
  /// The inverse.
  double value_at(double place) const;
};

/// A copy of the platform with the value at a position.
Platform changed(const Platform& platform, CurveAxis axis, double value);

/// run_time_curve() between the two ends. Latencies are kept to the picosecond, and the curve is exact if its
/// range is; over bandwidth and speed each time on the path is within half a picosecond. Errors: as there; an
/// end out of its range; under dimemas-5.5 a latency below 1 ns, which that preset treats as 0.
Expected<RunTimeCurve> curve_along(const Program& program, const Platform& platform, const CurveRange& range,
                                   const std::function<bool(double)>& progress = {});

}  // namespace busline
