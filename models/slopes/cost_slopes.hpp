// The shares of the network's latency and bandwidth in a cost: the derivatives of models/costs/costs.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "models/costs/cost_policy.hpp"
#include "models/slopes/slope.hpp"

namespace busline {

class CostSlopes : public CostPolicy {
 public:
  using CostPolicy::CostPolicy;

  /// Slope of the CPU time that a call pays before it acts.
  Slope overhead(RankId rank, const Operation& op) const;
  /// Slope of the message's transfer, which takes `length` ps including sharing.
  Slope transfer(const Message& m, std::int64_t length) const {
    Slope s;
    if (static_cast<Route>(m.route) == Route::network) s.transfer = static_cast<double>(length);
    return s;
  }
  /// Slope of the time from there to its arrival.
  Slope flight(const Message& m) const;
  /// Slope of the time from the begin of a collective until its members continue.
  Slope collective(const CollectiveInstance& c) const;
};

}  // namespace busline
