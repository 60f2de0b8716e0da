#include "platforms/topology/hop_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace busline {
namespace {

constexpr std::uint16_t kMostInByte = 254;

std::uint32_t hops_in_grid(const GridShape& grid, std::uint32_t a, std::uint32_t b) {
  std::uint32_t hops = 0;
  for (const auto n : grid.dimensions) {
    const auto x = a % n, y = b % n;
    const auto apart = x < y ? y - x : x - y;
    switch (grid.wrap) {
      case GridShape::Wrap::mesh:
        hops += apart;
        break;
      case GridShape::Wrap::torus:
        hops += std::min(apart, n - apart);
        break;
      case GridShape::Wrap::complete:
        hops += apart > 0 ? 1 : 0;
        break;
    }
    a /= n;
    b /= n;
  }
  return hops;
}

}  // namespace

BreadthSearch::BreadthSearch(const Topology& topology) : topology_(topology), hops_(topology.switches()) {
  order_.reserve(topology.switches());
}

const std::vector<std::uint16_t>& BreadthSearch::from(std::uint32_t from) {
  std::fill(hops_.begin(), hops_.end(), kNotJoined);
  hops_[from] = 0;
  order_.assign(1, from);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto hops = hops_[order_[i]];
    if (hops + 1 == kNotJoined) break;
    for (const auto& port : topology_.ports(order_[i]))
      if (hops_[port.neighbour] == kNotJoined) {
        hops_[port.neighbour] = static_cast<std::uint16_t>(hops + 1);
        order_.push_back(port.neighbour);
      }
  }
  return hops_;
}

Expected<HopCounts> HopCounts::of(const Topology& topology) {
  HopCounts counts;
  counts.grid_ = std::get_if<GridShape>(&topology.shape());
  if (counts.grid_ != nullptr) return counts;
  const auto n = topology.switches();
  if (n > kMostSwitchesInTable) {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.message =
        fmt::format("the network has {} switches, expected {} at most where it is not a complete grid", n,
                    kMostSwitchesInTable);
    return tl::unexpected(std::move(e));
  }
  counts.switches_ = n;
  counts.bytes_.resize(std::size_t{n} * n);
  BreadthSearch search(topology);
  for (std::uint32_t s = 0; s < n; ++s) {
    const auto& hops = search.from(s);
    const auto row = std::size_t{s} * n;
    if (counts.words_.empty()) {
      bool fits = true;
      for (std::uint32_t t = 0; t < n; ++t) {
        fits = fits && (hops[t] <= kMostInByte || hops[t] == kNotJoined);
        counts.bytes_[row + t] = static_cast<std::uint8_t>(hops[t]);  // kNotJoined becomes 255
      }
      if (fits) continue;
      counts.words_.resize(counts.bytes_.size());
      std::transform(counts.bytes_.begin(), counts.bytes_.begin() + static_cast<std::ptrdiff_t>(row),
                     counts.words_.begin(),
                     [](std::uint8_t h) { return h > kMostInByte ? kNotJoined : std::uint16_t{h}; });
      counts.bytes_ = {};
    }
    std::copy(hops.begin(), hops.end(), counts.words_.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return counts;
}

std::uint32_t HopCounts::operator()(std::uint32_t a, std::uint32_t b) const {
  if (grid_ != nullptr) return hops_in_grid(*grid_, a, b);
  const auto at = a * switches_ + b;
  if (!words_.empty()) return words_[at];
  return bytes_[at] > kMostInByte ? kNotJoined : std::uint32_t{bytes_[at]};
}

}  // namespace busline
