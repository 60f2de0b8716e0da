// Precision by repetition: the resolution of a clock, and timing an operation often enough in a row for the
// clock to resolve it (SKaLib manual, 3.1). A clock is anything that can be called and gives the time since a
// moment that stays the same while it is used: MPI_Wtime less its first value, a simulated clock, a fake one.
#pragma once
#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "sim/base/units.hpp"

namespace busline::measure {

template <class Now>
concept Clock = std::invocable<Now&> && std::same_as<std::invoke_result_t<Now&>, Duration>;

/// The machine's monotonic clock, from its construction on.
class SteadyClock {
 public:
  Duration operator()() const {
    const auto passed = std::chrono::steady_clock::now() - origin_;
    return Duration::picoseconds(std::chrono::nanoseconds(passed).count()) * 1000;
  }

 private:
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
};

struct ClockProperties {
  Duration tick;      ///< the smallest difference that was seen between two readings
  Duration overhead;  ///< what one reading takes, on average
  bool operator==(const ClockProperties&) const = default;
};

/// Reads a clock until it moves, `probes` times (1 or more). Nothing if it stands still for `patience`
/// readings, as a simulated clock does between operations. A clock that is coarse is seen to move by its
/// tick; one that is fine by what a reading takes. Each probe may see more than one tick, so the least
/// counts.
template <Clock Now>
std::optional<ClockProperties> probe_clock(Now& now, std::uint32_t probes = 100,
                                           std::uint64_t patience = 100'000'000) {
  auto tick = Duration::max();
  std::uint64_t readings = 0;
  const Duration begin = now();
  Duration before = begin;
  for (std::uint32_t i = 0; i < probes; ++i) {
    std::uint64_t tries = 1;
    Duration after = now();
    for (; after <= before; ++tries, after = now())
      if (tries == patience) return std::nullopt;
    readings += tries;
    tick = std::min(tick, after - before);
    before = after;
  }
  return ClockProperties{tick, Duration::from_double(static_cast<double>((before - begin).count()) /
                                                     static_cast<double>(readings))};
}

/// A sample should last this many ticks of the clock, so that a tick is 1 % of it.
inline constexpr std::int64_t kTicksPerSample = 100;

/// The time of one operation, to the nearest picosecond: `batch` (1 or more) of them run between two
/// readings, again and again until `least` has passed (at least one tick: the clock must have moved). The
/// operation must take time eventually; on a clock that never moves this never ends.
template <Clock Now, std::invocable Operation>
Duration time_operation(Now& now, Operation& operation, std::uint64_t batch, Duration least) {
  std::uint64_t done = 0;
  const Duration start = now();
  Duration passed;
  // The manual's loop goes on while the difference is above 0, on an end that is not set yet; meant is:
  // until.
  do {
    for (std::uint64_t i = 0; i < batch; ++i) operation();
    done += batch;
    passed = now() - start;
  } while (passed < least || passed <= Duration());
  return Duration::from_double(static_cast<double>(passed.count()) / static_cast<double>(done));
}

/// The smallest power of two of operations that last kTicksPerSample ticks together: 1 if the clock is fine
/// enough for single operations, which are to be preferred, since a batch hides what varies within it.
template <Clock Now, std::invocable Operation>
std::uint64_t batch_for(Now& now, Operation& operation, Duration tick, std::uint64_t most = 1U << 30U) {
  for (std::uint64_t batch = 1; batch < most; batch *= 2) {
    const Duration start = now();
    for (std::uint64_t i = 0; i < batch; ++i) operation();
    if (now() - start >= tick * kTicksPerSample) return batch;
  }
  return most;
}

}  // namespace busline::measure
