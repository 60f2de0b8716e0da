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
};

}  // namespace busline
