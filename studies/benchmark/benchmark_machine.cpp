#include "studies/benchmark/benchmark_machine.hpp"

#include <algorithm>
#include <cmath>

#include "workloads/patterns/halo_allreduce.hpp"

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

Program benchmark_program(std::uint32_t ranks, std::uint64_t operations) {
  HaloAllreduce pattern;
  pattern.ranks = ranks;
  pattern.dimensions = 3;
  pattern.iterations = 1;
  const auto one = halo_allreduce(pattern).operations().size();
  pattern.iterations = 2;
  const auto each = halo_allreduce(pattern).operations().size() - one;
  const auto more = operations > one ? (operations - one) / std::max<std::size_t>(1, each) : 0;
  pattern.iterations = static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + more, 1'000'000'000));
  return halo_allreduce(pattern);
}

}  // namespace busline
