// The progress of transfers that share resources max-min fairly (max_min.hpp), and the end of each. Rates
// change when a transfer starts or ends.
//
// Transfers of one route and full speed have one rate, so they make up one flow with one clock, which counts
// what each of them has moved. A transfer is over when its flow's clock passes its mark, as with the virtual
// time of fair queueing (Demers, Keshav and Shenker, SIGCOMM 1989). A change costs as much for a flow of
// thousands as for one transfer, and only the next end of each flow is known as a time.
//
// A flow that became slower is checked when its next transfer would have ended, and that end is announced
// again then; so flows that slow down often cause few events.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sharing/flow_table.hpp"
#include "models/sharing/max_min.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// Transfers have any numbers; small ones are better. Times are ps. `announce(transfer, end)` asks the owner
/// to call end_due(transfer) at `end`.
class SharedProgress {
 public:
  /// The end of a transfer beyond the clock's range.
  static constexpr std::int64_t kNever = Duration::max().count();

  /// The progress of each transfer of a flow while its rate stayed the same.
  struct Passed {
    std::int64_t time = 0;
    double done = 0;
    std::uint32_t bottleneck = MaxMinRates::kNobody;  ///< that it shared
  };

  /// At a rate of 1, a unit of a transfer takes `unit_time` ps.
  explicit SharedProgress(double unit_time) : unit_time_(unit_time) {}

  std::uint32_t add_resource(double capacity) { return rates_.add_resource(capacity); }
  const MaxMinRates& rates() const { return rates_; }

  /// Returns its flow. It has no end before settle(); call that after all events of this instant.
  std::uint32_t start(std::uint32_t id, std::span<const std::uint32_t> way, double amount, double full_speed,
                      std::int64_t now);
  bool is_under_way(std::uint32_t id) const { return id < flow_of_.size() && flow_of_[id] != kNobody; }
  /// The flow of a transfer that is under way.
  std::uint32_t flow_of(std::uint32_t id) const { return flow_of_[id]; }
  /// Since the flow's last change.
  Passed passed(std::uint32_t flow, std::int64_t now) const {
    const Flow& f = flows_[flow];
    const auto time = now - f.since;
    return {time, static_cast<double>(time) / unit_time_ * f.rate, f.bottleneck};
  }

  /// Updates rates and ends. Calls `changes(flow, Passed)` for flows whose rate or bottleneck changes.
  template <class OnChange, class Announce>
  void settle(std::int64_t now, OnChange&& changes, Announce&& announce) {
    rates_.settle([&](std::uint32_t flow, double rate) {
      Flow& f = flows_[flow];
      const auto bottleneck = rates_.bottleneck(flow);
      if (rate != f.rate || bottleneck != f.bottleneck) {
        const auto since_change = passed(flow, now);
        changes(flow, since_change);
        f.clock -= since_change.done;
        f.since = now;
        f.rate = rate;
        f.bottleneck = bottleneck;
        if (f.clock < -kClockRange) restart_clock(f);
      }
      set_end(f);
      announce_end(f, now, announce);
    });
  }

  /// Calls `over(transfer)` for transfers that end now, as far as the announcement is still true: the number
  /// may have been reused, or the end may have moved and is announced again. `over` must end() the transfer.
  template <class OnOver, class Announce>
  void end_due(std::uint32_t id, std::int64_t now, OnOver&& over, Announce&& announce) {
    if (!is_under_way(id)) return;
    const auto flow = flow_of_[id];
    if (flows_[flow].announced != now) return;
    if (flows_[flow].end > now) return announce_end(flows_[flow], now, announce);
    while (flows_[flow].end <= now) over(flows_[flow].marks.front().transfer);
  }
  /// Ends a transfer that end_due() has named, and frees its resources; the others' rates are known after
  /// settle().
  void end(std::uint32_t id);

 private:
  static constexpr auto kNobody = MaxMinRates::kNobody;
  // The clock's rounding is below 2^-20 units.
  static constexpr double kClockRange = 4294967296.;
  static constexpr std::int64_t kUnannounced = -1;

  struct Mark {
    double clock = 0;  // at the end
    std::uint32_t number = 0, transfer = 0;
  };
  struct EndsLater {  // The clock counts down. Of equal ends, the transfer that started first comes first.
    bool operator()(const Mark& a, const Mark& b) const {
      return a.clock != b.clock ? a.clock < b.clock : a.number > b.number;
    }
  };
  struct Flow {
    // What each transfer has yet to move until the end of the one that made up the flow first; so a transfer
    // that is alone in its flow is counted down from its amount to 0, without rounding that others cause.
    double clock = 0;
    double rate = 0;
    std::int64_t since = 0;                 // when `clock` was true
    std::int64_t end = kNever;              // of the first mark, at this rate
    std::int64_t announced = kUnannounced;  // when end_due() checks it next
    std::vector<Mark> marks;                // a heap; kept for its capacity
    std::uint32_t bottleneck = kNobody;
    std::uint32_t hash = 0;     // in table_
    std::uint32_t started = 0;  // transfers
  };

  std::uint32_t begin_flow(std::uint32_t hash, double amount, std::int64_t now);
  void set_end(Flow& f) const;
  static void restart_clock(Flow& f);
  template <class Announce>
  static void announce_end(Flow& f, std::int64_t now, Announce& announce) {
    if (f.announced > now && f.announced <= f.end) return;
    f.announced = f.end;
    announce(f.marks.front().transfer, f.end);
  }

  const double unit_time_;
  MaxMinRates rates_;
  FlowTable table_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> unused_;   // numbers of flows
  std::vector<std::uint32_t> flow_of_;  // by transfer
};

}  // namespace busline
