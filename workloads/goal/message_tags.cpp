#include "workloads/goal/message_tags.hpp"

#include <algorithm>

namespace busline::goal {

MessageTags::MessageTags(const Program& program) {
  const auto channels = program.channels();
  const auto first =
      std::min_element(channels.begin(), channels.end(),
                       [](const Channel& a, const Channel& b) { return a.communicator < b.communicator; });
  if (first != channels.end()) first_ = first->communicator;
  for (const auto& c : channels)
    if (stays(c.communicator, c.tag)) used_.insert(static_cast<std::uint32_t>(c.tag));
  for (const auto& c : channels) of_channel_.push_back(of(c.communicator, c.tag));
}

std::uint32_t MessageTags::unused() {
  while (used_.contains(next_)) ++next_;
  return next_++;
}

std::uint32_t MessageTags::of(std::uint32_t communicator, std::int32_t tag) {
  if (stays(communicator, tag)) return static_cast<std::uint32_t>(tag);
  const auto [at, fresh] = new_.try_emplace({communicator, tag}, 0);
  if (fresh) at->second = unused();
  return at->second;
}

std::uint32_t MessageTags::of_collective(std::uint64_t number) {
  if (of_collective_.empty())
    for (std::size_t i = 0; i < kCollectiveTags; ++i) of_collective_.push_back(unused());
  return of_collective_[number % kCollectiveTags];
}

}  // namespace busline::goal
