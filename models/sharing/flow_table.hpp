// Finds a flow by its route: a hash table of flow numbers. It keeps no routes; its owner compares them. With
// linear probing an entry is found, added or removed in a few steps, and nothing is allocated once warm.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace busline {

class FlowTable {
 public:
  static constexpr std::uint32_t kNobody = 0xffff'ffff;

  static std::uint32_t hash_of(std::span<const std::uint32_t> way, double full_speed) {
    auto h = std::bit_cast<std::uint64_t>(full_speed);
    for (const auto resource : way) h = (std::rotl(h, 29) ^ resource) * kOdd;
    return static_cast<std::uint32_t>(h >> 32U);
  }

  /// The flow of this hash for which `same(flow)` is true, or kNobody.
  template <class F>
  std::uint32_t find(std::uint32_t hash, F&& same) const {
    if (count_ == 0) return kNobody;
    for (auto i = home(hash); slots_[i].flow != kNobody; i = after(i))
      if (slots_[i].hash == hash && same(slots_[i].flow)) return slots_[i].flow;
    return kNobody;
  }

  void add(std::uint32_t hash, std::uint32_t flow) {
    if (2 * ++count_ > slots_.size()) grow();
    put({hash, flow});
  }

  /// The flow must be there.
  void remove(std::uint32_t hash, std::uint32_t flow) {
    --count_;
    auto gap = home(hash);
    while (slots_[gap].flow != flow) gap = after(gap);
    // Entries that follow without a gap move up, unless they would come before their home (Knuth, The Art of
    // Computer Programming, volume 3, algorithm 6.4 R).
    for (auto i = after(gap); slots_[i].flow != kNobody; i = after(i)) {
      const auto way_from_home = (i - home(slots_[i].hash)) & mask();
      if (way_from_home < ((i - gap) & mask())) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap].flow = kNobody;
  }

 private:
  static constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;  // 2^64 / the golden ratio
  struct Slot {
    std::uint32_t hash = 0, flow = kNobody;
  };

  std::size_t mask() const { return slots_.size() - 1; }  // a power of two
  std::size_t home(std::uint32_t hash) const { return hash & mask(); }
  std::size_t after(std::size_t i) const { return (i + 1) & mask(); }
  void put(const Slot& slot) {
    auto i = home(slot.hash);
    while (slots_[i].flow != kNobody) i = after(i);
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const auto& slot : old)
      if (slot.flow != kNobody) put(slot);
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace busline
