// Flows with plain max-min shares by Busline's own solver (models/sharing/), in this process: the same
// results as SimGrid under the same law, at a tenth of its cost (docs/decisions/048).
#pragma once
#include <cstdint>
#include <vector>

#include "models/flow/flows.hpp"
#include "models/sharing/shared_progress.hpp"
#include "sim/replay/pending_events.hpp"

namespace busline {

class LocalFlows : public Flows {
 public:
  LocalFlows();
  /// Whether flows under this law are purely max-min fair.
  static bool knows(const FlowLaw& law);

  std::uint32_t add_link(double capacity, bool shared) override;
  /// The latency of a route does not matter.
  void start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) override;
  bool run(FlowClient& client) override;

 private:
  struct Link {
    double capacity = 0;
    std::uint32_t resource = 0;  // of progress_, if it is shared
    bool shared = true;
  };
  auto announce() {
    return [this](std::uint32_t flow, std::int64_t end) { ends_.push({end, 0, flow}); };
  }
  void settle();
  void end_flows(FlowClient& client);

  SharedProgress progress_;
  std::vector<Link> links_;
  std::vector<std::uint64_t> numbers_;  // of flows, in the order of their starts
  PendingEvents ends_;                  // of flows, as SharedProgress announces them
  std::vector<std::uint32_t> way_, ended_;
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0, under_way_ = 0;
  bool settled_ = true;
};

}  // namespace busline
