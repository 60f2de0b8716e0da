// Maximum flows between switches, which are minimum cuts (Ford, Fulkerson): by the algorithm of Boykov and
// Kolmogorov, from Boost.Graph.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "platforms/topology/topology.hpp"

namespace busline {

/// The side of a cut that hosts are on: by switch, since a switch is never split. Switches of `either` go
/// where the cut is smaller.
enum class CutSide : std::uint8_t { either, first, second };

class LinkFlow {
 public:
  /// Each link carries `capacity[link]` in each direction; empty: 1, so that flows count cables. Keeps no
  /// reference to the arguments.
  explicit LinkFlow(const Topology& topology, std::span<const std::int64_t> capacity = {});
  ~LinkFlow();
  LinkFlow(const LinkFlow&) = delete;
  LinkFlow& operator=(const LinkFlow&) = delete;

  /// The least capacity that separates the two sides; `sides` has one entry per switch.
  std::int64_t between(std::span<const CutSide> sides);
  /// The same between two different switches: with capacities of 1 the number of paths that share no cable.
  std::int64_t between(std::uint32_t from, std::uint32_t to);

 private:
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace busline
