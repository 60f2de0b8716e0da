// The number of links on a shortest path between switches.
#pragma once
#include <cstdint>
#include <vector>

#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

inline constexpr std::uint16_t kNotJoined = 0xffff;

/// Breadth-first search of a topology from one switch at a time.
class BreadthSearch {
 public:
  /// `topology` must outlive this.
  explicit BreadthSearch(const Topology& topology);
  /// Hops from `from` to each switch; kNotJoined where no path exists, or only one of more than 65 534 links.
  /// Valid until the next call. Cost: linear in the links.
  const std::vector<std::uint16_t>& from(std::uint32_t from);

 private:
  const Topology& topology_;
  std::vector<std::uint16_t> hops_;
  std::vector<std::uint32_t> order_;
};

/// Hops between any two switches. In a grid they follow from the coordinates; else they are in a table, with
/// one byte per pair, or two if paths have more than 254 links.
class HopCounts {
 public:
  /// A larger table would not be worth its memory.
  static constexpr std::uint32_t kMostSwitchesInTable = 30'000;

  /// An Error of kind unsupported if a table is needed and the switches do not fit into it. `topology` must
  /// outlive this. Cost with a table: switches times links.
  static Expected<HopCounts> of(const Topology& topology);
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const;

 private:
  HopCounts() = default;
  const GridShape* grid_ = nullptr;
  std::size_t switches_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint16_t> words_;  // instead
};

}  // namespace busline
