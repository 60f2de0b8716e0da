// The part of a run between two instants (SimulateOptions::region), recorded by the code that moves the clock
// past them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/run/simulate_options.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/results/result.hpp"

namespace busline {

inline bool is_between_instants(const SimulateOptions& options) {
  return options.region && (options.region->after || options.region->before);
}
/// Also the whole run, if its calls are timed.
inline bool is_between_calls(const SimulateOptions& options) {
  return (options.region && (options.region->from || options.region->to)) ||
         (options.call_times && !is_between_instants(options));
}

/// The times of all strands at the region's two instants. `R` is the Replay.
class InstantTimes {
 public:
  InstantTimes(const Region& region, std::size_t strands)
      : from_(Time::at(region.after.value_or(Duration{}))), before_(region.before), strands_(strands) {}
  Time from() const { return from_; }
  Time to() const { return Time::at(before_.value_or(Duration::max())); }

  /// Call it before handling the events at `next`.
  template <class R>
  void pass(const R& replay, Time next) {
    if (at_start_.empty() && next > from_) at_start_ = all_at(replay, from_);
    if (at_end_.empty() && next > to()) at_end_ = all_at(replay, to());
  }

  /// Call it at the end of the run.
  template <class R>
  RegionResult result(const R& replay) {
    const auto end = before_ ? to() : std::max(from_, Time::at(Duration::picoseconds(replay.now())));
    if (at_start_.empty()) at_start_ = all_at(replay, from_);
    RegionResult result;
    result.ranks = at_end_.empty() ? all_at(replay, end) : std::move(at_end_);
    for (std::size_t i = 0; i < strands_; ++i) result.ranks[i] = result.ranks[i] - at_start_[i];
    result.run_time = std::max(end, from_) - from_;
    return result;
  }

 private:
  template <class R>
  std::vector<RankTimes> all_at(const R& replay, Time instant) const {
    std::vector<RankTimes> all;
    for (const auto i : ids<StrandId>(strands_)) all.push_back(replay.times_at(i, instant));
    return all;
  }

  Time from_;
  std::optional<Duration> before_;
  std::size_t strands_;
  std::vector<RankTimes> at_start_, at_end_;
};

}  // namespace busline
