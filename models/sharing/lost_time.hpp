// The time that messages lose on each limited resource of their route, where they share it. What all messages
// of a flow lose is added up once, and a message's share is the difference between its end and its start.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/sharing/shared_progress.hpp"

namespace busline {

/// Flows and transfers are numbered as in SharedProgress, whose unit is a picosecond here.
class LostTime {
 public:
  /// Resources on a route (SharedResources::way_of).
  static constexpr std::size_t kMostStops = 3;

  /// Every message of the flow has passed this since the last call, or since it began.
  void add(std::uint32_t flow, const SharedProgress::Passed& passed) {
    if (passed.bottleneck == MaxMinRates::kNobody) return;
    Flow& f = flows_[flow];
    f.lost[stop_of(f, passed.bottleneck)] += lost_in(passed);
  }
  /// `passed`: what the flow has done since the last call of add().
  void begin(std::uint32_t message, std::uint32_t flow, std::span<const std::uint32_t> way,
             const SharedProgress::Passed& passed) {
    if (flow >= flows_.size()) flows_.resize(flow + 1);
    if (message >= before_.size()) before_.resize(message + 1);
    std::copy(way.begin(), way.end(), flows_[flow].way.begin());
    before_[message] = so_far(flow, passed);
  }
  /// Calls `charge(resource, lost)` for the resources of its route that slowed the message.
  template <class F>
  void end(std::uint32_t message, std::uint32_t flow, const SharedProgress::Passed& passed,
           F&& charge) const {
    const auto lost = so_far(flow, passed);
    for (std::size_t i = 0; i < kMostStops; ++i)
      if (lost[i] != before_[message][i]) charge(flows_[flow].way[i], lost[i] - before_[message][i]);
  }

 private:
  using Lost = std::array<std::int64_t, kMostStops>;
  struct Flow {
    std::array<std::uint32_t, kMostStops> way{};
    Lost lost{};  // of all its messages so far, by their route's resources
  };

  static std::int64_t lost_in(const SharedProgress::Passed& passed) {
    return passed.time - Duration::from_double(passed.done).count();
  }
  static std::size_t stop_of(const Flow& f, std::uint32_t resource) {
    return static_cast<std::size_t>(std::find(f.way.begin(), f.way.end() - 1, resource) - f.way.begin());
  }
  Lost so_far(std::uint32_t flow, const SharedProgress::Passed& passed) const {
    const Flow& f = flows_[flow];
    auto lost = f.lost;
    if (passed.bottleneck != MaxMinRates::kNobody) lost[stop_of(f, passed.bottleneck)] += lost_in(passed);
    return lost;
  }

  std::vector<Flow> flows_;
  std::vector<Lost> before_;  // by message: when it began
};

}  // namespace busline
