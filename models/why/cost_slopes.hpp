// How much of a cost is the network's latency and bandwidth: the derivatives of models/dimemas/costs.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "models/dimemas/cost_policy.hpp"

namespace busline {

/// What a time grows by: with each picosecond of /network/latency (a count), and for each unit by which the
/// network's 1/bandwidth or the CPUs' 1/speed grows relative to what it is (ps). All machines of a platform
/// together; what a node's own latency, memory or the WAN take is in none of them.
struct Slope {
  double latency = 0;
  double transfer = 0;
  double compute = 0;

  friend Slope operator+(Slope a, const Slope& b) {
    a.latency += b.latency;
    a.transfer += b.transfer;
    a.compute += b.compute;
    return a;
  }
};

class CostSlopes : public CostPolicy {
 public:
  using CostPolicy::CostPolicy;

  /// Of the CPU time that a call pays before it acts.
  Slope overhead(std::uint32_t rank, const Operation& op) const;
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
