// The bytes between two ranks of different nodes travel in order, as over a TCP connection: what a rank sends
// to a peer after data arrives after the data (docs/model.md, section 3.3).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/ids.hpp"

namespace busline {

/// The messages of each rank that are under way, and the handshakes behind them. An operation costs a step
/// for each message that the rank has under way.
class DataStreams {
 public:
  /// A step of the handshake of `message`, behind data.
  struct Follower {
    MessageId message{};
    bool queued = false;  ///< with the data's last byte; else it set out after the data, and comes after it
  };

  void resize(std::size_t ranks) { under_way_.resize(ranks); }

  /// The data of a message sets out from `from` to `to`.
  void enter(RankId from, RankId to, MessageId data) { under_way_[from].push_back({to, data, {}, {}}); }

  /// The data has left `from`, and will arrive at `arrival`, ps. No effect unless it has entered.
  void leave(RankId from, MessageId data, std::int64_t arrival) {
    if (const auto at = find(from, data); at != under_way_[from].end()) at->arrival = arrival;
  }

  /// A step of the handshake of `message` goes from `from` to `to`, and would arrive at `arrival`, ps, alone.
  /// Whether it follows data, which then returns it when it arrives.
  bool follow(RankId from, RankId to, MessageId message, std::int64_t arrival) {
    auto& list = under_way_[from];
    const auto last = std::find_if(list.rbegin(), list.rend(), [&](const Data& d) { return d.to == to; });
    if (last == list.rend() || (last->arrival && *last->arrival < arrival)) return false;
    last->behind.push_back({message, !last->arrival});
    return true;
  }

  /// The data has arrived, or never entered. Returns what follows it, in order.
  std::vector<Follower> arrive(RankId from, MessageId data) {
    const auto at = find(from, data);
    if (at == under_way_[from].end()) return {};
    auto behind = std::move(at->behind);
    under_way_[from].erase(at);
    return behind;
  }

 private:
  struct Data {
    RankId to{};
    MessageId id{};
    std::optional<std::int64_t> arrival;  // ps, once it has left
    std::vector<Follower> behind;
  };
  std::vector<Data>::iterator find(RankId from, MessageId data) {
    auto& list = under_way_[from];
    return std::find_if(list.begin(), list.end(), [&](const Data& d) { return d.id == data; });
  }
  IdVector<RankId, std::vector<Data>> under_way_;  // in the order of their launches
};

}  // namespace busline
