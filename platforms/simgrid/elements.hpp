// Elements of all zones in a platform file for SimGrid: hosts and links.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// A machine with its nodes one by one.
struct SimGridMachine {
  /// The machine must outlive it.
  explicit SimGridMachine(const MachineGroup& machine);

  const MachineGroup& group;
  std::vector<const NodeGroup*> nodes;

  const Network& network() const { return group.network; }
  /// The bandwidth of a single message, in bytes per second.
  double bandwidth() const { return network().bandwidth.in_bytes_per_second(); }
  Duration latency_of(std::size_t node) const { return nodes[node]->latency.value_or(network().latency); }
};

/// SimGrid's CM02 divides by a route's latency.
inline constexpr Duration kLeastSimGridLatency = Duration::picoseconds(1);

std::string simgrid_time(Duration d);
/// Without a limit: 1e18 bytes per second.
std::string simgrid_rate(double bytes_per_second);

std::string simgrid_host(const SimGridMachine& machine, std::size_t node);
/// Both directions share it; if not shared, each message gets all of it.
std::string simgrid_link(const std::string& id, double bytes_per_second, Duration latency, bool shared);
/// Full duplex: id_UP and id_DOWN.
std::string simgrid_split_link(const std::string& id, double bytes_per_second, Duration latency);

}  // namespace busline
