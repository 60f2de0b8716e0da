// Max-min fair rates: every flow is as fast as possible without slowing a slower one. So each flow either
// runs at full speed or has a bottleneck: a saturated resource on which no flow is faster (Bertsekas and
// Gallager, Data Networks, 2nd edition, 6.5.2).
//
// For each resource the solver keeps the level: the rate of the flows that it limits. A flow's rate is the
// lowest level on its route. When a flow starts or ends, the levels of its resources are recomputed, then
// those of resources where this changed a flow's share, until nothing changes. The lowest level of all is
// correct once computed, whatever the others are; then the next one; so it terminates, with the unique
// solution. It does not visit resources far from a change.
//
// Flows of one route and one full speed have one rate. They may share a number: then a change costs as much
// for all of them as for one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace busline {

/// Rates may have any unit, such as shares of full speed: a resource of capacity n then carries n flows at
/// full speed.
class MaxMinRates {
 public:
  static constexpr std::uint32_t kNobody = 0xffff'ffff;

  /// `capacity` > 0. Resources are numbered from 0.
  std::uint32_t add_resource(double capacity);
  /// Starts a flow that is never faster than `full_speed` (> 0 and finite), under an unused number: an index,
  /// so small numbers are better. `way` holds no resource twice. The flow has no rate before settle().
  void start(std::uint32_t flow, std::span<const std::uint32_t> way, double full_speed = 1);
  /// Starts another flow like those under this number.
  void join(std::uint32_t flow);
  /// Ends one of the flows under this number, which is unused after the last.
  void end(std::uint32_t flow);

  /// Updates all rates. Calls `changed(flow, rate)` for numbers under which a flow has started, or has ended
  /// and others go on, and for those whose rate or bottleneck has changed, in an order that depends only on
  /// the calls so far. Cost: the numbers on the resources that change, times the levels between them.
  template <class F>
  void settle(F&& changed) {
    update_levels();
    for (const auto flow : touched_) {
      Flow& f = flows_[flow];
      f.touched = false;
      if (f.count == 0) continue;
      const auto [rate, bottleneck] = slowest(f);
      if (rate == f.rate && bottleneck == f.bottleneck && !f.recounted) continue;
      f.recounted = false;
      f.rate = rate;
      f.bottleneck = bottleneck;
      changed(flow, rate);
    }
    touched_.clear();
  }

  /// Whether flows under this number, which is in use, have this route and full speed.
  bool is_like(std::uint32_t flow, std::span<const std::uint32_t> way, double full_speed) const {
    const Flow& f = flows_[flow];
    return f.full_speed == full_speed &&
           std::equal(f.way.begin(), f.way.end(), way.begin(), way.end(),
                      [](const Stop& stop, std::uint32_t resource) { return stop.resource == resource; });
  }
  /// As of the last settle().
  double rate(std::uint32_t flow) const { return flows_[flow].rate; }
  /// The resource that limits the flow, or kNobody if it runs at full speed.
  std::uint32_t bottleneck(std::uint32_t flow) const { return flows_[flow].bottleneck; }
  /// The maximum number of concurrent flows on a resource.
  std::size_t peak_flows_on(std::uint32_t resource) const { return resources_[resource].peak; }

 private:
  static constexpr double kFree = std::numeric_limits<double>::infinity();

  struct Stop {
    std::uint32_t resource = 0, place = 0;  // in Resource::flows
  };
  // What limits a flow, so that its rate without one of its resources needs no look at the others.
  struct Limits {
    double lowest = 0, next = 0;       // the lowest level, or the full speed; the same without `resource`
    std::uint32_t resource = kNobody;  // of the lowest level; kNobody: the full speed
  };
  struct Flow {
    std::vector<Stop> way;  // kept for its capacity
    double full_speed = 1, rate = 0;
    std::uint32_t bottleneck = kNobody;
    std::uint32_t count = 0;  // flows under this number
    bool touched = false;     // in touched_
    bool recounted = false;   // since `changed` was called for it
  };
  struct Resource {
    double capacity = 1;
    double level = kFree;              // rate of the flows that it limits; kFree: none
    std::vector<std::uint32_t> flows;  // their numbers
    std::size_t count = 0, peak = 0;   // flows
    bool queued = false;               // in queue_
  };
  struct Slowest {
    double rate;
    std::uint32_t resource;
  };
  struct Share {
    double rate;
    std::uint32_t count;  // flows
  };

  Slowest slowest(const Flow& flow) const {
    Slowest s{flow.full_speed, kNobody};
    for (const auto& stop : flow.way)
      if (const auto level = resources_[stop.resource].level; level < s.rate) s = {level, stop.resource};
    return s;
  }
  /// The rate of the flow if this resource had no limit.
  double rate_without(std::uint32_t flow, std::uint32_t resource) const {
    const Limits& l = limits_[flow];
    return l.resource == resource ? l.next : l.lowest;
  }
  void find_limits(std::uint32_t flow);
  void level_changed(std::uint32_t flow, std::uint32_t resource, double before);
  /// It cannot limit its flows, since they are so few.
  bool has_room(const Resource& r) const { return static_cast<double>(r.count) * fastest_ <= r.capacity; }
  double level_of(std::uint32_t resource);
  void update_levels();
  void queue(std::uint32_t resource) {
    Resource& r = resources_[resource];
    if (r.queued) return;
    r.queued = true;
    queue_.push_back(resource);
  }
  void touch(std::uint32_t flow) {
    if (flows_[flow].touched) return;
    flows_[flow].touched = true;
    touched_.push_back(flow);
  }

  std::vector<Flow> flows_;
  std::vector<Limits> limits_;  // by flow, apart from the rest: level_of() reads those of many
  std::vector<Resource> resources_;
  std::vector<std::uint32_t> queue_;    // resources whose level may have changed, in FIFO order
  std::vector<std::uint32_t> touched_;  // flows whose rate may have changed
  std::vector<Share> shares_;           // of level_of, kept for its capacity
  double fastest_ = 0;                  // full speed of the fastest flow so far
};

}  // namespace busline
