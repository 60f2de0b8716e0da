// The curves that users ask for: over the network's latency, its bandwidth, the speed of CPUs.
#pragma once
#include <cstdint>
#include <string_view>

#include "models/curve/run_time_curve.hpp"

namespace busline {

/// What is changed, everywhere: /network/latency and /network/bandwidth of each machine, /nodes/speed of each
/// group of nodes. Latencies that groups have of their own stay.
enum class CurveAxis { latency, bandwidth, speed };

/// Its two ends, the better one first: seconds (0 or more), bytes a second (above 0), or a factor on the
/// speeds that the platform has (above 0). Infinity is a bandwidth and a speed.
struct CurveRange {
  CurveAxis axis = CurveAxis::latency;
  double from = 0, to = 0;

  /// Where on the way, in [0, 1], a value lies: evenly in latency, in the time that a byte takes, and in the
  /// time that a burst takes.
  double place_of(double value) const;
  /// And back.
  double value_at(double place) const;
};

/// A copy of the platform with that value.
Platform changed(const Platform& platform, CurveAxis axis, double value);

/// run_time_curve() between the two ends. Latencies are kept to the picosecond, and the curve is exact if its
/// range is; over bandwidth and speed each time on the path is within half a picosecond.
/// Errors: as there; an end out of its range; under dimemas-5.5 a latency below 1 ns, which that takes for
/// none.
Expected<RunTimeCurve> curve_along(const Program& program, const Platform& platform, const CurveRange& range,
                                   const std::function<bool(double)>& progress = {});

}  // namespace busline
