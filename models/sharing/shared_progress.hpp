// The progress of transfers that share resources max-min fairly (max_min.hpp), and the end of each. Rates
// change when a transfer starts or ends. A transfer that became slower is checked when it would have ended,
// and is announced again then; so transfers that slow down often cause few events.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sharing/max_min.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// Transfers are numbered like flows of MaxMinRates; times are ps. `announce(transfer, end)` asks its owner
/// to call is_over(transfer) at `end`.
class SharedProgress {
 public:
  /// The end of a transfer beyond the clock's range.
  static constexpr std::int64_t kNever = Duration::max().count();

  /// The progress of a transfer while its rate stayed the same.
  struct Passed {
    std::int64_t time = 0;
    double done = 0;
    std::uint32_t bottleneck = MaxMinRates::kNobody;  ///< that it shared
  };

  /// At a rate of 1, a unit of a transfer takes `unit_time` ps.
  explicit SharedProgress(double unit_time) : unit_time_(unit_time) {}

  std::uint32_t add_resource(double capacity) { return rates_.add_resource(capacity); }
  const MaxMinRates& rates() const { return rates_; }

  /// It has no end before settle(); call that after all events of this instant.
  void start(std::uint32_t id, std::span<const std::uint32_t> way, double amount, double full_speed,
             std::int64_t now) {
    if (id >= transfers_.size()) transfers_.resize(id + 1);
    transfers_[id] = {.left = amount, .since = now, .under_way = true};
    rates_.start(id, way, full_speed);
  }
  /// Frees its resources; the others' rates are known after settle(). Returns its progress since the last
  /// change.
  Passed end(std::uint32_t id, std::int64_t now) {
    const auto passed = advance(transfers_[id], now);
    transfers_[id].under_way = false;
    rates_.end(id);
    return passed;
  }
  bool is_under_way(std::uint32_t id) const { return id < transfers_.size() && transfers_[id].under_way; }

  /// Updates rates and ends. Calls `passed(transfer, Passed)` for those whose rate or bottleneck changes.
  template <class OnPassed, class Announce>
  void settle(std::int64_t now, OnPassed&& passed, Announce&& announce) {
    rates_.settle([&](std::uint32_t id, double rate) {
      Transfer& t = transfers_[id];
      passed(id, advance(t, now));
      t.rate = rate;
      t.bottleneck = rates_.bottleneck(id);
      const double takes = t.left / rate * unit_time_;
      const bool ends = takes < static_cast<double>(kNever - 1 - now);
      t.end = ends ? now + static_cast<std::int64_t>(std::llround(takes)) : kNever;
      announce_end(id, now, announce);
    });
  }

  /// Whether the transfer ends now. The number may have been reused, or the end may have moved: then it is
  /// announced again.
  template <class Announce>
  bool is_over(std::uint32_t id, std::int64_t now, Announce&& announce) {
    const Transfer& t = transfers_[id];
    if (!t.under_way || t.announced != now) return false;
    if (t.end <= now) return true;
    announce_end(id, now, announce);
    return false;
  }

 private:
  struct Transfer {
    double left = 0, rate = 0;
    std::int64_t since = 0;      // when `left` was true
    std::int64_t end = 0;        // at this rate
    std::int64_t announced = 0;  // when is_over() checks it next
    std::uint32_t bottleneck = MaxMinRates::kNobody;
    bool under_way = false;
  };

  Passed advance(Transfer& t, std::int64_t now) const {
    const auto time = now - t.since;
    const double done = static_cast<double>(time) / unit_time_ * t.rate;
    t.left = std::max(0., t.left - done);
    t.since = now;
    return {time, done, t.bottleneck};
  }
  template <class Announce>
  void announce_end(std::uint32_t id, std::int64_t now, Announce& announce) {
    Transfer& t = transfers_[id];
    if (t.announced > now && t.announced <= t.end) return;
    t.announced = t.end;
    announce(id, t.end);
  }

  const double unit_time_;
  MaxMinRates rates_;
  std::vector<Transfer> transfers_;
};

}  // namespace busline
