// How much of a cost is the network's latency and bandwidth: the derivatives of models/costs/costs.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "models/costs/cost_policy.hpp"
#include "models/slopes/slope.hpp"

namespace busline {

class CostSlopes : public CostPolicy {
 public:
  using CostPolicy::CostPolicy;

  /// Of the CPU time that a call pays before it acts.
  Slope overhead(RankId rank, const Operation& op) const;
  /// Of the message's transfer, which takes `length` ps with all that it shares.
  Slope transfer(const Message& m, std::int64_t length) const {
    Slope s;
    if (static_cast<Route>(m.route) == Route::network) s.transfer = static_cast<double>(length);
    return s;
  }
  /// From there to its arrival.
  Slope flight(const Message& m) const;
  /// From the begin of a collective to where its members go on.
  Slope collective(const CollectiveInstance& c) const;
};

}  // namespace busline
