// How many bytes the blocks of a collective's messages have (Blocks in schedule.hpp).
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/algorithms/schedule.hpp"
#include "sim/program/collective.hpp"

namespace busline {

/// Sums stay at this, which is beyond what the clock can count at any bandwidth that it can tell from none.
inline constexpr std::uint64_t kMostBlockBytes = std::uint64_t{1} << 61;

constexpr std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  return std::min(kMostBlockBytes, std::min(a, kMostBlockBytes) + std::min(b, kMostBlockBytes));
}
constexpr std::uint64_t capped_product(std::uint64_t a, std::uint64_t n) {
  return n != 0 && a > kMostBlockBytes / n ? kMostBlockBytes : a * n;
}

/// The blocks of one collective.
class BlockSizes {
 public:
  /// A vector in as many parts as there are blocks, as equal as whole bytes can be: the first ones have one
  /// more.
  static BlockSizes parts_of(std::uint64_t vector) { return {Kind::parts, vector, {}}; }
  /// Blocks of equal size.
  static BlockSizes equal(std::uint64_t block) { return {Kind::equal, block, {}}; }
  /// Block i has `sizes[i]`.
  static BlockSizes listed(std::span<const std::uint64_t> sizes) {
    std::vector<std::uint64_t> before(sizes.size() + 1, 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) before[i + 1] = capped_sum(before[i], sizes[i]);
    return {Kind::listed, 0, std::move(before)};
  }
  /// Of an Alltoallv or Alltoallw: the rank at position i sends `sizes[i]` to each other.
  static BlockSizes by_sender(std::span<const std::uint64_t> sizes) {
    return {Kind::by_sender, 0, {sizes.begin(), sizes.end()}};
  }

  /// Of blocks that the rank at position `sender` sends.
  std::uint64_t bytes(const Site& site, std::uint32_t sender, const Blocks& blocks) const {
    if (kind_ == Kind::by_sender) return capped_product(list_[sender], blocks.count);
    if (blocks.bit != 0) return capped_product(value_, blocks.count);
    const auto end = std::uint64_t{blocks.first} + blocks.count;
    if (end <= site.blocks) return before(site, end) - before(site, blocks.first);
    return capped_sum(before(site, site.blocks) - before(site, blocks.first),
                      before(site, end - site.blocks));
  }

  auto operator<=>(const BlockSizes&) const = default;

 private:
  enum class Kind : std::uint8_t { parts, equal, listed, by_sender };
  BlockSizes(Kind kind, std::uint64_t value, std::vector<std::uint64_t> list)
      : kind_(kind), value_(value), list_(std::move(list)) {}

  /// Bytes of the blocks before the one with this number.
  std::uint64_t before(const Site& site, std::uint64_t block) const {
    switch (kind_) {
      case Kind::parts:
        return value_ / site.blocks * block + std::min(block, value_ % site.blocks);
      case Kind::listed:
        return list_[block];
      case Kind::equal:
      case Kind::by_sender:
        break;
    }
    return capped_product(value_, block);
  }

  Kind kind_;
  std::uint64_t value_;
  std::vector<std::uint64_t> list_;
};

}  // namespace busline
