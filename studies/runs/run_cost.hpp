// The cost of one run, for benchmarks.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "documents/text/process_usage.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct RunCost {
  double user_seconds = 0;
  double wall_seconds = 0;
};

/// The smaller of each of the two values; `cost` if nothing was measured `before`.
inline RunCost least_of(const RunCost& before, const RunCost& cost) {
  if (before.wall_seconds == 0) return cost;
  return {std::min(before.user_seconds, cost.user_seconds), std::min(before.wall_seconds, cost.wall_seconds)};
}

/// Calls `run`, which returns an Expected<void>, until it has used 0.1 s of user time: the system counts that
/// in steps of some milliseconds. The mean of these calls; or the first Error.
template <class Run>
Expected<RunCost> cost_of(const Run& run) {
  constexpr double kLeastSeconds = 0.1;
  const auto wall_before = std::chrono::steady_clock::now();
  const auto user_before = user_seconds();
  double used = 0;
  std::uint32_t runs = 0;
  do {
    if (auto done = run(); !done) return tl::unexpected(std::move(done.error()));
    ++runs;
    used = user_seconds() - user_before;
  } while (used < kLeastSeconds);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_before;
  return RunCost{used / runs, wall.count() / runs};
}

}  // namespace busline
