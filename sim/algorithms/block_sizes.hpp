// The sizes in bytes of the blocks in a collective's messages (Blocks in schedule.hpp).
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/algorithms/schedule.hpp"
#include "sim/program/collective.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Sums saturate at this, which exceeds the clock's range at any bandwidth that is distinguishable from
/// unlimited.
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
  /// A vector split into one part per block, as equal as whole bytes allow: the first ones have one byte
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
  /// For an Alltoallv or Alltoallw: the rank at position i sends `sizes[i]` to every other rank.
  static BlockSizes by_sender(std::span<const std::uint64_t> sizes) {
    return {Kind::by_sender, 0, {sizes.begin(), sizes.end()}};
  }
  /// The same where some ranks send a different size to each: the one at position i what the list
  /// `numbers[i]` of `lists` says, unless that is 0. `lists` must outlive this.
  static BlockSizes by_pair(const BlockLists& lists, std::span<const std::uint32_t> numbers,
                            std::span<const std::uint64_t> sizes) {
    auto all = by_sender(sizes);
    all.kind_ = Kind::by_pair;
    all.lists_ = &lists;
    all.list_.insert(all.list_.end(), numbers.begin(), numbers.end());
    return all;
  }

  /// The size of blocks that the rank at position `sender` sends.
  std::uint64_t bytes(const Site& site, std::uint32_t sender, const Blocks& blocks) const {
    if (kind_ >= Kind::by_sender) return sent_by(site, sender, blocks);
    if (blocks.bit != 0) return capped_product(value_, blocks.count);
    const auto end = std::uint64_t{blocks.first} + blocks.count;
    if (end <= site.blocks) return before(site, end) - before(site, blocks.first);
    return capped_sum(before(site, site.blocks) - before(site, blocks.first),
                      before(site, end - site.blocks));
  }

  auto operator<=>(const BlockSizes&) const = default;

 private:
  enum class Kind : std::uint8_t { parts, equal, listed, by_sender, by_pair };
  BlockSizes(Kind kind, std::uint64_t value, std::vector<std::uint64_t> list)
      : kind_(kind), value_(value), list_(std::move(list)) {}

  /// Block d goes to the rank d positions after its sender. No algorithm of these operations passes blocks on
  /// (Blocks::bit).
  std::uint64_t sent_by(const Site& site, std::uint32_t sender, const Blocks& blocks) const {
    const auto list = kind_ == Kind::by_pair ? list_[site.ranks + sender] : 0;
    if (list == 0) return capped_product(list_[sender], blocks.count);
    const auto sizes = lists_->list(static_cast<std::uint32_t>(list));
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < blocks.count; ++i)
      sum = capped_sum(sum, sizes[(std::uint64_t{sender} + blocks.first + i) % site.ranks]);
    return sum;
  }

  /// Bytes of the blocks before the one with this number.
  std::uint64_t before(const Site& site, std::uint64_t block) const {
    switch (kind_) {
      case Kind::parts:
        return value_ / site.blocks * block + std::min(block, value_ % site.blocks);
      case Kind::listed:
        return list_[block];
      case Kind::equal:
      case Kind::by_sender:
      case Kind::by_pair:
        break;
    }
    return capped_product(value_, block);
  }

  Kind kind_;
  std::uint64_t value_;
  std::vector<std::uint64_t> list_;  // for by_pair: mean sizes, then numbers of lists, by position
  const BlockLists* lists_ = nullptr;
};

}  // namespace busline
