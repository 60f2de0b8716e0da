// The channels of messages inside collectives. There can be very many (an Alltoall has one for each pair),
// but few are in use at a time, so a hash table holds only these.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/replay/replay_state.hpp"

namespace busline {

/// All messages of one collective between two ranks; MPI keeps their order.
struct PartChannel {
  std::uint32_t collective = 0;  ///< index in the CollectivePlan
  RankId source{}, destination{};
  bool operator==(const PartChannel&) const = default;
};

class PartMatching {
 public:
  /// The queue of the channel. The reference is valid until the next call.
  ChannelState& at(const PartChannel& key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    auto i = place(key);
    while (slots_[i].used && slots_[i].key != key) i = next(i);
    if (!slots_[i].used) {
      slots_[i] = {key, {}, true};
      ++used_;
    }
    return slots_[i].state;
  }

  /// Removes a channel in which nothing waits any more. Entries displaced by it move up, so that they are
  /// found.
  void drop(const PartChannel& key) {
    auto hole = place(key);
    while (slots_[hole].used && slots_[hole].key != key) hole = next(hole);
    if (!slots_[hole].used) return;
    for (auto i = next(hole); slots_[i].used; i = next(i)) {
      const auto wanted = place(slots_[i].key);
      if (distance(wanted, i) < distance(hole, i)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole].used = false;
    --used_;
  }

  std::size_t in_use() const { return used_; }
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    PartChannel key{};
    ChannelState state{};
    bool used = false;
  };
  static constexpr std::size_t kFirstSize = 64;  // powers of two

  std::size_t next(std::size_t i) const { return (i + 1) & (slots_.size() - 1); }
  std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (slots_.size() - 1); }
  std::size_t place(const PartChannel& key) const {
    // A multiplicative hash (Knuth, vol. 3, 6.4) of each part; it affects only the place of entries.
    auto h = (std::uint64_t{key.collective} << 32 | raw(key.source)) * 0x9e37'79b9'7f4a'7c15U;
    h = (h ^ (h >> 29) ^ raw(key.destination)) * 0xbf58'476d'1ce4'e5b9U;
    return static_cast<std::size_t>(h >> 32) & (slots_.size() - 1);
  }
  void grow() {
    auto old = std::exchange(slots_, {});
    slots_.resize(std::max(kFirstSize, 2 * old.size()));
    used_ = 0;
    for (const auto& s : old)
      if (s.used) at(s.key) = s.state;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace busline
