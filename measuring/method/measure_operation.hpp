// Measures a callable of this process: a clock's precision and ASEC put together. The program in
// example_main.cpp shows it with a curve.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>

#include "measuring/method/clock.hpp"
#include "measuring/method/repetition.hpp"
#include "sim/base/units.hpp"

namespace busline::measure {

struct OperationPlan {
  RepetitionRules rules;
  std::uint32_t warmup = 5;  ///< calls before the first sample, to fill caches
};

/// The time of one call of `operation`, which must take time on the clock `now` with ticks of `tick`
/// (probe_clock). The rules must be valid; their time limit does not count warming up. Calls are timed one by
/// one, or in batches where the clock is too coarse for that.
template <Clock Now, std::invocable Operation>
Repeated measure_operation(Now& now, Operation& operation, Duration tick, const OperationPlan& plan) {
  for (std::uint32_t i = 0; i < plan.warmup; ++i) operation();
  const auto batch = batch_for(now, operation, tick);
  RepetitionControl control(plan.rules);
  const Duration begin = now();
  for (std::optional<Stop> stop; !stop;) {
    const auto sample = time_operation(now, operation, batch, tick * kTicksPerSample);
    stop = control.add(sample, now() - begin);
  }
  return control.outcome();
}

}  // namespace busline::measure
