// What the flow model asks of a solver of flows: links that are shared, flows over them, and a clock that
// stops at its own events, too. The one solver is SimGrid's (models/flow/simgrid/), a library that is loaded
// when it is needed (plugin.hpp); so this header is all that both sides know of each other.
#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace busline {

/// How flows share links.
struct FlowLaw {
  /// Shares go by 1 / FlowWay::latency + the sum over links of `weight_size` / capacity, as SimGrid's model
  /// CM02 and its sons have it; else all flows are equal.
  bool weighted = false;
  double weight_size = 0;
  /// A flow loads the links of its way back with 5 % of its rate (SimGrid's crosstraffic).
  bool crosstraffic = false;
  /// Most units of a flow that are under way unacknowledged: its rate is at most this / (2 x latency).
  double window = std::numeric_limits<double>::infinity();
};

/// Links by number; `back` counts with FlowLaw::crosstraffic only. Latency in seconds, greater than 0: it is
/// for weights and windows, and delays nothing.
struct FlowWay {
  std::span<const std::uint32_t> links, back;
  double latency = 1;
};

/// Who owns the other events: the replay. Times are ps.
class FlowClient {
 public:
  static constexpr std::int64_t kNoEvent = -1;
  virtual ~FlowClient() = default;
  /// When its next event is, or kNoEvent.
  virtual std::int64_t next_event() = 0;
  /// Handles its events up to `now`, and those that they make in that time. It may start flows.
  virtual void run_to(std::int64_t now) = 0;
  /// A flow is through. It must not start flows yet; run_to(now) follows. Flows that end together are told
  /// in the order in which they started.
  virtual void flow_ended(std::uint32_t flow, std::int64_t now) = 0;
};

/// One run of a solver, and one solver a process: SimGrid's engine is a global thing.
class Flows {
 public:
  virtual ~Flows() = default;
  /// The number of a link that carries `capacity` units a second: all flows together if it is shared, else
  /// each of them. Links may be added at any time. `capacity` is finite and greater than 0.
  virtual std::uint32_t add_link(double capacity, bool shared) = 0;
  /// `flow` is any number that is not under way. There is one link at least, and `amount` is not 0. To be
  /// called within FlowClient::run_to, whose time is `now`.
  virtual void start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) = 0;
  /// Runs until the client has no more events and no flow is under way. False if it cannot: flows are left
  /// that end at no time that the clock can tell.
  virtual bool run(FlowClient& client) = 0;
};

/// The function that the library has, by this name.
using MakeFlows = Flows*(const FlowLaw&);
inline constexpr const char* kMakeFlows = "busline_make_flows";

}  // namespace busline
