// Finds the request that a wait of a Dimemas trace refers to. Waits carry no request number: they name
// source, tag and communicator, and refer to the oldest request with these (docs/reference/dim.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace busline::dim {

/// Requests of one thread that were started and not yet waited for. All operations take constant time.
class PendingRequests {
 public:
  struct Name {
    std::uint32_t peer = 0;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;
    bool operator==(const Name&) const = default;
  };

  PendingRequests() : entries_(64) {}

  void clear() {
    ++epoch_;
    used_ = 0;
    links_.clear();
    free_ = kNone;
  }

  void add(const Name& name, std::uint32_t slot) {
    if ((used_ + 1) * 2 > entries_.size()) grow();
    Entry& e = entry(name);
    if (e.epoch != epoch_) {
      e = {name, epoch_, kNone, kNone};
      ++used_;
    }
    const auto link = new_link(slot);
    (e.oldest == kNone ? e.oldest : links_[e.newest].next) = link;
    e.newest = link;
  }

  /// Removes the oldest request of that name and returns its slot; nothing if there is none.
  std::optional<std::uint32_t> take(const Name& name) {
    Entry& e = entry(name);
    if (e.epoch != epoch_ || e.oldest == kNone) return std::nullopt;
    const auto link = e.oldest;
    e.oldest = links_[link].next;
    links_[link].next = free_;
    free_ = link;
    return links_[link].slot;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Entry {
    Name name;
    std::uint64_t epoch = 0;  // of another thread, if not the current one: then the entry is empty
    std::uint32_t oldest = kNone, newest = kNone;
  };
  struct Link {
    std::uint32_t slot = 0, next = kNone;
  };

  // Open addressing, at most half full. The multipliers are arbitrary odd numbers with well spread bits.
  Entry& entry(const Name& name) {
    const auto mask = entries_.size() - 1;
    std::uint64_t h = std::uint64_t{name.peer} * 0x9e3779b97f4a7c15ULL;
    h ^= (std::uint64_t{name.communicator} << 32 | static_cast<std::uint32_t>(name.tag)) *
         0xd6e8feb86659fd93ULL;
    h ^= h >> 32;
    auto at = h & mask;
    while (entries_[at].epoch == epoch_ && !(entries_[at].name == name)) at = (at + 1) & mask;
    return entries_[at];
  }

  std::uint32_t new_link(std::uint32_t slot) {
    if (free_ != kNone) {
      const auto link = free_;
      free_ = links_[link].next;
      links_[link] = {slot, kNone};
      return link;
    }
    links_.push_back({slot, kNone});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& e : old)
      if (e.epoch == epoch_) entry(e.name) = e;
  }

  std::vector<Entry> entries_;
  std::vector<Link> links_;
  std::uint32_t free_ = kNone;
  std::uint64_t epoch_ = 1;
  std::size_t used_ = 0;
};

}  // namespace busline::dim
