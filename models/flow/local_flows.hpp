// Flows with plain max-min shares by our own solver (models/sharing/max_min.hpp), in this process: what
// SimGrid gives under the same law, at a tenth of its cost (docs/decisions/048).
#pragma once
#include <cstdint>
#include <vector>

#include "models/flow/flows.hpp"
#include "models/sharing/max_min.hpp"
#include "sim/replay/pending_events.hpp"

namespace busline {

class LocalFlows : public Flows {
 public:
  /// Whether flows under this law are max-min fair and nothing else.
  static bool knows(const FlowLaw& law);

  std::uint32_t add_link(double capacity, bool shared) override;
  /// The latency of a way does not matter.
  void start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) override;
  bool run(FlowClient& client) override;

 private:
  struct Link {
    double capacity = 0;
    std::uint32_t resource = 0;  // of rates_, if it is shared
    bool shared = true;
  };
  /// Times are ps.
  struct Transfer {
    double left = 0, rate = 0;   // units, units a second
    std::int64_t since = 0;      // when `left` was true
    std::int64_t end = 0;        // at this rate
    std::int64_t announced = 0;  // when end_flows() looks at it next
    std::uint64_t number = 0;    // in the order of starts
    bool under_way = false;
  };

  void settle();
  void announce(std::uint32_t flow);
  void end_flows(FlowClient& client);

  MaxMinRates rates_;
  std::vector<Link> links_;
  std::vector<Transfer> transfers_;  // by flow
  PendingEvents ends_;               // of flows; those that moved on are announced anew
  std::vector<std::uint32_t> way_, ended_;
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0, under_way_ = 0;
  bool settled_ = true;
};

}  // namespace busline
