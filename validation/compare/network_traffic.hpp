// How well the links and buses that a topology means stand for it: the same traffic over its links (model
// flow) and in the Dimemas model (docs/reference/topology.md, "How good the derived buses are").
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "platforms/topology/bus_equivalent.hpp"
#include "platforms/topology/description.hpp"
#include "sim/base/error.hpp"
#include "sim/results/result.hpp"
#include "workloads/patterns/traffic.hpp"

namespace busline::compare {

/// What one model makes of the traffic.
struct TrafficFigures {
  Duration run_time;
  /// Messages at full speed that would carry as much: a mean over the time in which all hosts have something
  /// to send.
  double at_once = 0;
};

struct TrafficComparison {
  std::uint64_t seed = 0;
  std::uint32_t buses = 1;  ///< derived: the worst ones if the pattern is a bisection, else the random ones
  TrafficFigures flow;      ///< over the topology's links
  TrafficFigures derived;   ///< model dimemas, sharing fair, with the derived links and buses
  TrafficFigures no_buses;  ///< likewise, with unlimited buses
};

/// `marks` are those of traffic_pattern's messages, of which each takes `alone` without any other one.
double messages_at_once(const std::vector<MarkedTime>& marks, Duration alone);

/// The traffic with its own seed and those that follow, `seeds` in all, on a machine with the network
/// `description` and a host for each of its ranks; `equivalent` is that of the network. Its message bandwidth
/// must be known. Latencies are the topology's, and count in the flow model alone. `progress` is called with
/// the share that is done; false: no more seeds are begun. Errors: those of simulate().
Expected<std::vector<TrafficComparison>> compare_traffic(const TopologyDescription& description,
                                                         const BusEquivalent& equivalent,
                                                         const Traffic& traffic, std::uint32_t seeds,
                                                         const std::function<bool(double)>& progress);

}  // namespace busline::compare
