#include "studies/benchmark_machine.hpp"

#include <algorithm>
#include <cmath>

namespace busline {

Platform benchmark_machine(std::uint32_t nodes) {
  Platform p;
  p.name = "bench";
  NodeGroup group;
  group.count = nodes;
  group.links = {Links::Kind::full_duplex, 1, 1};
  group.intra_node.latency = Duration::picoseconds(500'000);
  group.intra_node.bandwidth = Bandwidth::bytes_per_second(5e9);
  MachineGroup machine;
  machine.nodes = {group};
  machine.network.latency = Duration::picoseconds(2'000'000);
  machine.network.bandwidth = Bandwidth::bytes_per_second(1e9);
  machine.network.buses = std::max(1U, nodes / 8);
  const auto at_leaf = static_cast<std::uint32_t>(std::ceil(std::sqrt(nodes)));
  machine.network.topology.emplace().family =
      GeneralTree{{at_leaf, (nodes + at_leaf - 1) / at_leaf}, {1, at_leaf}, {1, 1}};
  p.machines = {machine};
  return p;
}

}  // namespace busline
