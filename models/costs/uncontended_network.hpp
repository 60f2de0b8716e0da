// The base of the network models: every message and collective costs as much as alone. A model with
// contention overrides the steps between launch and release; without overrides it is the ideal network.
#pragma once
#include "models/costs/cost_policy.hpp"

namespace busline {

class UncontendedNetwork : public CostPolicy {
 public:
  using CostPolicy::CostPolicy;

  template <class R>
  void launch(R& replay, MessageId message) {
    replay.begin_transfer(message);
  }
  template <class R>
  void release(R& /*replay*/, MessageId /*message*/) {}

  template <class R>
  void gather(R& replay, CollectiveId id) {
    auto& c = replay.collective(id);
    choose_representatives(replay, c);
    const auto cost = cost_of(replay, c);
    for (const auto& r : c.representatives) c.arrivals.push_back(r.member);
    replay.begin_collective(id, cost.held.count(), cost.flight.count());
  }
  template <class R>
  void release_collective(R& /*replay*/, CollectiveId /*id*/) {}
};

}  // namespace busline
