// For tests: a clock that advances only on request.
#pragma once
#include <cstdint>

#include "sim/base/units.hpp"

namespace busline::measure {

/// A reading takes `reading`, then shows the time rounded down to whole ticks, as a coarse clock does.
struct FakeClock {
  Duration tick = Duration::picoseconds(1), reading{};
  Duration time{};
  std::uint64_t readings = 0;

  Duration operator()() {
    ++readings;
    time += reading;
    return Duration::picoseconds(time.count() / tick.count() * tick.count());
  }
  void pass(Duration d) { time += d; }
};

}  // namespace busline::measure
