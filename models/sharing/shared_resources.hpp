// The limited resources of a Dimemas machine that messages can share, and those that a message needs: links,
// buses, ports and memory, numbered for a solver. Source: docs/model.md, section 4.4.
#pragma once
#include <cstdint>
#include <vector>

#include "models/costs/costs.hpp"
#include "models/costs/resource_use.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/results/resource_id.hpp"

namespace busline {

class SharedResources {
 public:
  /// Links, ports or buses.
  struct Resource {
    ResourceId id;
    Count capacity = 0;  ///< messages at full speed
    ResourceUse use{};
    bool is_bus() const { return id.kind == ResourceKind::bus || id.kind == ResourceKind::memory_bus; }
  };

  /// Cost: linear in nodes and ranks.
  SharedResources(const DimemasCosts& costs, const Program& program);

  /// The limited resources that the message, whose route is known, needs, each once. Valid until the next
  /// call.
  const std::vector<std::uint32_t>& way_of(const Message& m);
  /// In a fixed order.
  const std::vector<Resource>& all() const { return resources_; }
  Resource& operator[](std::uint32_t resource) { return resources_[resource]; }
  /// Counts a message that begins on the resources of its route and takes this many ps there.
  void count(const std::vector<std::uint32_t>& way, std::int64_t transfer) {
    for (const auto r : way) resources_[r].use.add_message(transfer);
  }

 private:
  /// Resources of a node, a rank, a machine or a connection. kNone: no limit.
  struct Ends {
    std::uint32_t out = kNone, in = kNone;  // the same if half duplex
  };
  /// The kinds of a pair of links and, if half duplex, of the one link in their place.
  struct LinkKinds {
    ResourceKind out, in, both;
  };
  Ends add_links(const LinkKinds& kinds, std::uint32_t owner, const Links& links);
  std::uint32_t add(ResourceId id, Count capacity);

  const DimemasCosts& costs_;
  std::vector<Resource> resources_;
  IdVector<NodeId, Ends> node_links_;
  IdVector<RankId, Ends> ports_;
  IdVector<NodeId, std::uint32_t> memory_buses_;
  std::vector<Ends> wan_links_;                   // of a machine
  std::vector<std::uint32_t> buses_, dedicated_;  // of a machine, a connection
  std::vector<std::uint32_t> way_;                // of way_of, kept for its capacity
};

}  // namespace busline
