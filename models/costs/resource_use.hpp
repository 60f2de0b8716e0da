// The totals of the messages on a resource of the network: links, buses and memory in the models with
// contention.
#pragma once
#include <cstdint>

#include "sim/base/units.hpp"

namespace busline {

/// What a resource reports at the end of a run.
struct ResourceUse {
  std::int64_t busy = 0;  ///< ps, summed over its servers
  std::int64_t wait = 0;  ///< ps, summed over the messages that queued
  std::uint64_t messages = 0;

  /// Counts a message that occupies a server for this many ps.
  void add_message(std::int64_t ps) {
    busy = saturated_sum(busy, ps);
    ++messages;
  }
  void add_wait(std::int64_t ps) { wait = saturated_sum(wait, ps); }
};

}  // namespace busline
