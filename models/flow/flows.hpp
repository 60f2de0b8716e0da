// The interface between the flow model and a solver of flows: shared links, flows over them, and a clock that
// also stops at the replay's events. SimGrid's solver (models/flow/simgrid/) is a library that is loaded on
// demand (plugin.hpp), so both sides share only this header.
#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace busline {

/// How flows share links.
struct FlowLaw {
  /// Shares are proportional to 1 / (FlowWay::latency + the sum over links of `weight_size` / capacity), as
  /// in SimGrid's model CM02 and its descendants; else all flows are equal.
  bool weighted = false;
  double weight_size = 0;
  /// A flow also loads the links of its reverse route with 5 % of its rate (SimGrid's crosstraffic).
  bool crosstraffic = false;
  /// Maximum of a flow's unacknowledged units in flight: its rate is at most this / (2 x latency).
  double window = std::numeric_limits<double>::infinity();
};

/// Links by number; `back` counts with FlowLaw::crosstraffic only. Latency in seconds, greater than 0: it
/// only affects weights and windows, and delays nothing.
struct FlowWay {
  std::span<const std::uint32_t> links, back;
  double latency = 1;
};

/// The owner of the other events: the replay. Times are ps.
class FlowClient {
 public:
  static constexpr std::int64_t kNoEvent = -1;
  virtual ~FlowClient() = default;
  /// Time of its next event, or kNoEvent.
  virtual std::int64_t next_event() = 0;
  /// Handles its events up to `now`, including new ones due by then. It may start flows.
  virtual void run_to(std::int64_t now) = 0;
  /// A flow has ended. The client must not start flows here; run_to(now) follows. Flows that end together are
  /// reported in the order in which they started.
  virtual void flow_ended(std::uint32_t flow, std::int64_t now) = 0;
};

/// One run of a solver, and one solver per process: SimGrid's engine is global.
class Flows {
 public:
  virtual ~Flows() = default;
  /// Adds a link of `capacity` units per second, for all flows together if it is shared, else for each of
  /// them, and returns its number. Links may be added at any time. `capacity` is finite and greater than 0.
  virtual std::uint32_t add_link(double capacity, bool shared) = 0;
  /// Starts a flow. `flow` is any number not in use. The route has at least one link, and `amount` is not 0.
  /// Call it within FlowClient::run_to, whose time is `now`.
  virtual void start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) = 0;
  /// Runs until the client has no more events and no flow is active. False if it cannot: the remaining flows
  /// end beyond the clock's range.
  virtual bool run(FlowClient& client) = 0;
};

/// The name and type of the library's function.
using MakeFlows = Flows*(const FlowLaw&);
inline constexpr const char* kMakeFlows = "busline_make_flows";

}  // namespace busline
