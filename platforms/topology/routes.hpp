// The route of a message through a network: its directed links. Routes are computed on demand, from
// coordinates or from hop counts; none is stored.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "platforms/topology/description.hpp"
#include "platforms/topology/hop_counts.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Routes by one rule (docs/reference/topology.md):
/// - minimal: a shortest route, always the same for a pair of hosts. Trees: d-mod-k (Zahavi 2010). Grids:
///   dimension order, half way round a ring upwards from even coordinates. Else one of the shortest, chosen
///   by the number of the target host.
/// - ecmp: any shortest route, chosen at each switch by the hash.
/// - valiant: by way of a switch chosen by the hash, on shortest routes to and from it (Valiant, Brebner
///   1981).
class Routes {
 public:
  /// `topology` must outlive this; `seed` changes all hashes. An Error of kind unsupported if a table of hop
  /// counts is needed and would be too large. Cost: nothing for grids, and for minimal routes in trees; else
  /// that of HopCounts.
  static Expected<Routes> of(const Topology& topology, Routing routing, std::uint64_t seed = 1);

  /// Appends the directed links from host `from` to host `to`, both of which exist: from the host to its
  /// switch, between switches, and to the host. Nothing if they are the same. `hash` is arbitrary: messages
  /// with equal hashes take the same route; minimal ignores it. Cost: length of the route times links of a
  /// switch. Safe in several threads.
  void append(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
              std::vector<std::uint32_t>& route) const;

 private:
  Routes(const Topology& topology, Routing routing, std::uint64_t seed)
      : topology_(&topology), routing_(routing), seed_(seed) {}
  void append_any_shortest(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                           std::vector<std::uint32_t>& route) const;
  void append_by_target(std::uint32_t from, std::uint32_t to_host, std::vector<std::uint32_t>& route) const;
  void append_in_tree(const TreeShape& tree, std::uint32_t from_host, std::uint32_t to_host,
                      std::vector<std::uint32_t>& route) const;
  void append_by_dimension(const GridShape& grid, std::uint32_t from, std::uint32_t to, std::uint64_t lane,
                           std::vector<std::uint32_t>& route) const;
  std::uint32_t append_cable(std::uint32_t at, std::uint32_t neighbour, std::uint64_t lane,
                             std::vector<std::uint32_t>& route) const;

  const Topology* topology_;
  Routing routing_;
  std::uint64_t seed_;
  std::optional<HopCounts> hops_;
};

}  // namespace busline
