// The small numbers that stand for MPI's handles in a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace busline::tracer {

/// Numbers handles of one kind in the order in which they are first seen, as libdumpi does. It never forgets
/// a handle; we forget those that are freed, so that a handle which the MPI library uses again gets a number
/// of its own: the file's table of type sizes is right for it, and a communicator that was made by a call
/// without record is not taken for the one that was freed. Only when numbers run out those of freed ones are
/// given again.
class HandleMap {
 public:
  /// The first number for handles that are not predefined.
  explicit HandleMap(std::int32_t first) : next_(first) {}

  void predefine(std::uint64_t handle, std::int32_t number) {
    if (Slot* const known = find(handle))
      known->number = number;
    else
      insert(handle, number);
  }

  /// Its number, and whether it is new.
  std::pair<std::int32_t, bool> number(std::uint64_t handle) {
    if (const Slot* const known = find(handle)) return {known->number, false};
    const std::int32_t number = unused();
    insert(handle, number);
    return {number, true};
  }

  void forget(std::uint64_t handle) {
    Slot* const known = find(handle);
    if (known == nullptr) return;
    freed_.push_back(known->number);
    // Whoever was moved on because this slot was taken moves up (Knuth, TAOCP 3, 6.4, algorithm R).
    std::size_t hole = static_cast<std::size_t>(known - slots_.data());
    for (std::size_t i = after(hole); slots_[i].used; i = after(i)) {
      const std::size_t home = home_of(slots_[i].handle);
      const bool stays = hole < i ? hole < home && home <= i : hole < home || home <= i;
      if (stays) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].used = false;
    --size_;
  }

 private:
  struct Slot {
    std::uint64_t handle = 0;
    std::int32_t number = 0;
    bool used = false;
  };

  std::size_t after(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }
  std::size_t home_of(std::uint64_t handle) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: spreads addresses
    return static_cast<std::size_t>((handle * kGolden) >> 32U) & (slots_.size() - 1);
  }
  Slot* find(std::uint64_t handle) {
    std::size_t i = home_of(handle);
    while (slots_[i].used && slots_[i].handle != handle) i = after(i);
    return slots_[i].used ? &slots_[i] : nullptr;
  }
  void insert(std::uint64_t handle, std::int32_t number) {
    if (2 * size_ >= slots_.size()) grow();
    std::size_t i = home_of(handle);
    while (slots_[i].used) i = after(i);
    slots_[i] = {handle, number, true};
    ++size_;
  }
  void grow() {
    const auto old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    size_ = 0;
    for (const auto& slot : old)
      if (slot.used) insert(slot.handle, slot.number);
  }
  // Handles have 16 bits in a trace. Requests have 32, of which libdumpi uses 16: after 32767 comes -32768.
  std::int32_t unused() {
    constexpr std::int32_t kLast = std::numeric_limits<std::int16_t>::max();
    if (next_ > kLast && reused_ < freed_.size()) return freed_[reused_++];
    return static_cast<std::int16_t>(next_++);
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two
  std::size_t size_ = 0;
  std::int32_t next_;
  std::vector<std::int32_t> freed_;
  std::size_t reused_ = 0;
};

}  // namespace busline::tracer
