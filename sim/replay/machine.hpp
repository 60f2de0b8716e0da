// The replay's view of a machine: the placement of ranks and the speed of their CPUs. Networks belong to the
// models. platforms/mapping.hpp fills it.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace busline {

struct Machine {
  struct Node {
    std::uint32_t cpus = 1;
    double speed = 1;         ///< bursts take their traced time divided by this; infinity: no time
    Duration context_switch;  ///< CPU time before each work item (Dimemas scheduler files)
    /// If not 0, ranks that wait poll, and take turns of this length on CPUs that are too few for all; at
    /// least TimeSlices::kShortest, and without context switches.
    Duration polling_quantum{};
    NodeId cpus_of =
        kNone;  ///< the node whose CPUs the ranks use, such as a virtual machine's host; kNone: its own
  };
  /// While the user event (type, value) is open, bursts are divided by `ratio`, or each lasts `fixed`
  /// before division by the node's speed if `ratio` is negative. Ratio 0: no time. (Dimemas modules.)
  struct Module {
    std::uint32_t type = 0;
    std::int64_t value = 0;
    double ratio = 1;
    Duration fixed{};
  };
  IdVector<NodeId, Node> nodes;
  IdVector<RankId, NodeId> rank_node;  ///< node of each rank
  std::vector<Module> modules;

  bool owns_cpus(NodeId node) const { return nodes[node].cpus_of == kNone || nodes[node].cpus_of == node; }
  /// The node whose CPUs the rank uses.
  NodeId cpu_node(RankId rank) const {
    const auto host = nodes[rank_node[rank]].cpus_of;
    return host == kNone ? rank_node[rank] : host;
  }
};

}  // namespace busline
