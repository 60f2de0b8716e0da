// The time budget of a run, divided among its suites; and an estimate of each point's time, so that none is
// started that does not fit (docs/reference/measuring.md, "A time budget").
#pragma once
#include <cstdint>
#include <map>
#include <optional>

#include "sim/base/units.hpp"

namespace busline::measure {

/// Each suite gets its share of the time left by earlier suites: none starves, and unused time goes to the
/// others. Times are the testbed's own (Testbed::elapsed).
class TimeBudget {
 public:
  /// `limit`: from `begin` on, nothing: as long as it takes; for suites that have `shares` together.
  TimeBudget(std::optional<Duration> limit, Duration begin, double shares)
      : limit_(limit), begin_(begin), shares_(shares) {}

  /// The time for the next suite, which has `share` of the shares: 0 if all is used up, nothing if there is
  /// no limit.
  std::optional<Duration> next(Duration now, double share);
  bool is_used_up(Duration now) const { return limit_ && now - begin_ >= *limit_; }

 private:
  std::optional<Duration> limit_;
  Duration begin_;
  double shares_;  // of the suites to come
};

/// What the first sample at an argument will take, warming up included, from what it took at others. Taken to
/// grow with the argument: to the right of all others on the line through the last two, elsewhere what it
/// took at the next larger one.
class CostForecast {
 public:
  void add(std::uint64_t argument, Duration cost) { costs_[argument] = cost; }
  /// 0 if nothing is known.
  Duration at(std::uint64_t argument) const;

 private:
  std::map<std::uint64_t, Duration> costs_;
};

}  // namespace busline::measure
