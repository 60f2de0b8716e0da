// The channels of a Paraver trace's messages. MPI keeps the order of messages of one source, destination,
// communicator and tag, but records have no communicator. Where the order of the receives is not that of the
// sends, messages must have been on several communicators, and get such.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace busline::paraver {

struct ChannelKey {
  std::uint32_t from = 0, to = 0;  ///< indices of threads
  std::int32_t tag = 0;
  bool operator==(const ChannelKey&) const = default;
};

struct ChannelOf {
  ChannelKey key;
  std::uint32_t order = 0;  ///< 0, or the number of the communicator that keeps it apart
};

class Channels {
 public:
  /// The channel of the next message, in the order of sends; `posted` is the time of its receive. Cost:
  /// logarithmic in the communicators that the key needed.
  std::uint32_t of(const ChannelKey& key, std::int64_t posted) {
    auto& lanes = lanes_[key];
    // The last receive of each lane; lane n + 1 is only begun by a receive before that of lane n.
    const auto lane =
        std::partition_point(lanes.begin(), lanes.end(), [&](const Lane& l) { return l.last > posted; });
    const auto number = static_cast<std::uint32_t>(lane - lanes.begin());
    if (lane == lanes.end()) {
      lanes.push_back({posted, static_cast<std::uint32_t>(all_.size())});
      all_.push_back({key, number});
      orders_ = std::max(orders_, number);
    }
    lanes[number].last = posted;
    return lanes[number].channel;
  }

  const ChannelOf& operator[](std::uint32_t channel) const { return all_[channel]; }
  /// The highest ChannelOf::order.
  std::uint32_t orders() const { return orders_; }

 private:
  struct Lane {
    std::int64_t last = 0;
    std::uint32_t channel = 0;
  };
  struct Hash {
    std::size_t operator()(const ChannelKey& k) const {
      // Multipliers are arbitrary odd numbers with well spread bits.
      auto h = (std::uint64_t{k.from} << 32 | k.to) * 0x9e3779b97f4a7c15ULL;
      h ^= static_cast<std::uint32_t>(k.tag) * 0xd6e8feb86659fd93ULL;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };

  std::unordered_map<ChannelKey, std::vector<Lane>, Hash> lanes_;
  std::vector<ChannelOf> all_;
  std::uint32_t orders_ = 0;
};

}  // namespace busline::paraver
