// Tags of GOAL, which has no communicators: a tag for each pair of a communicator and a tag.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/program/program.hpp"

namespace busline::goal {

class MessageTags {
 public:
  /// Tags of the first communicator that has messages stay; others are numbered from kFirstNew on, past those
  /// in use.
  /// Cost: n log n in channels.
  explicit MessageTags(const Program& program);

  std::uint32_t of_channel(std::uint32_t channel) const { return of_channel_[channel]; }
  /// Of a receive from any source with this tag.
  std::uint32_t of(std::uint32_t communicator, std::int32_t tag);
  /// Of the messages of a collective, by its number: collectives in progress together have different ones.
  std::uint32_t of_collective(std::uint64_t number);
  bool has_other_communicators() const { return !new_.empty(); }

 private:
  static constexpr std::uint32_t kFirstNew = 1'000'000;
  static constexpr std::size_t kCollectiveTags = 1000;

  std::uint32_t unused();

  bool stays(std::uint32_t communicator, std::int32_t tag) const {
    return communicator == first_ && tag >= 0;
  }

  std::uint32_t first_ = 0;
  std::set<std::uint32_t> used_;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> new_;
  std::vector<std::uint32_t> of_channel_;
  std::vector<std::uint32_t> of_collective_;
  std::uint32_t next_ = kFirstNew;
};

}  // namespace busline::goal
