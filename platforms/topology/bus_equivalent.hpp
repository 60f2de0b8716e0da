// The links and buses of the Dimemas model that come nearest to a network of switches
// (docs/reference/topology.md has the derivation).
#pragma once
#include <cstdint>

#include "platforms/topology/figures.hpp"
#include "platforms/topology/topology.hpp"

namespace busline {

/// L and B for a network in which each host is a node. B is a whole number from 1 to the number of hosts,
/// where it is no longer a limit.
struct BusEquivalent {
  std::uint32_t links = 1;         ///< L: of each node, in and out
  Bandwidth message;               ///< of a single message: what a bus carries
  double cut = 0;                  ///< b: messages that the bisection carries each way
  double capacity = 0;             ///< messages that all links carry together, each direction counted
  std::uint32_t worst_buses = 1;   ///< B if every message crosses the bisection
  std::uint32_t random_buses = 1;  ///< B for random targets
  // If messages met only where they have no alternative: only traffic that suits the network reaches this.
  std::uint32_t worst_limit = 1;   ///< min(N, 2 b)
  std::uint32_t random_limit = 1;  ///< min(N, 4 b, capacity / mean hops)
};

/// `figures` are those of `topology`; `of_network` is the default bandwidth of links, unlimited if all links
/// are alike and only their number matters.
BusEquivalent bus_equivalent(const Topology& topology, const TopologyFigures& figures,
                             Bandwidth of_network = Bandwidth::unlimited());

}  // namespace busline
