// Metrics of a whole network: its size, distances and bottlenecks (docs/reference/topology.md).
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// The cables between two halves of the hosts, and how the halves were chosen.
struct HalvesCut {
  std::uint64_t links = 0;
  std::uint32_t first_hosts = 0, second_hosts = 0;
  std::string halves;  ///< "in order", "along dimension 1", "by distance from 7", "improved by exchanges"
};

struct TopologyFigures {
  std::uint32_t hosts = 0, switches = 0, links = 0;
  std::uint64_t cables = 0;  ///< links, and those of hosts
  std::uint32_t least_degree = 0,
                degree = 0;    ///< links of a switch to others: the fewest and the most of any switch
  std::uint32_t diameter = 0;  ///< hops between the two switches that are farthest apart
  double mean_hops = 0;        ///< over all pairs of different switches; 0 if there is one
  double mean_host_hops = 0;   ///< links between switches, over all pairs of different hosts
  HalvesCut in_order;          ///< hosts in their order, the first half against the second
  HalvesCut bisection;         ///< the smallest cut found: never below the true one
  /// Paths that share no cable, between switches of hosts: a sample of at most kSampledPairs pairs.
  std::uint32_t least_paths = 0;
  double mean_paths = 0;
  /// The least number of cables whose loss cuts the network; not computed above kMostForConnectivity
  /// switches.
  std::optional<std::uint32_t> connectivity;

  static constexpr std::uint32_t kSampledPairs = 32, kMostForConnectivity = 512;
};

/// An Error of kind unsupported above HopCounts::kMostSwitchesInTable switches. The network must be
/// connected. Cost: switches times links; 10 000 hosts take one or two seconds.
Expected<TopologyFigures> figures_of(const Topology& topology);

}  // namespace busline
