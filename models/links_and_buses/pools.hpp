// Resources with FIFO queues: buses (a count of equal servers) and the links of a node or a rank.
// links.hpp defines which of them a message takes, and in which order.
#pragma once
#include <algorithm>
#include <cstdint>

#include "models/costs/resource_use.hpp"
#include "sim/replay/message.hpp"

namespace busline {

/// B equal servers and a queue. Capacity 0: unlimited.
struct BusPool {
  std::uint32_t capacity = 0;
  std::uint32_t in_use = 0;
  MessageQueue queue;
  ResourceUse use;
  bool limited() const { return capacity != 0; }
};

/// Output and input links, with a queue for each direction. In half duplex a link in use in one direction
/// also occupies one of the other direction.
struct LinkPool {
  bool limited = false;
  bool half_duplex = false;
  std::uint32_t free_out = 0, free_in = 0;
  MessageQueue out_queue, in_queue;
  ResourceUse out_use, in_use;
  /// Messages that own an output link, longest first, in an array with one element per link, which belongs to
  /// the pool's creator. Links that are only a half-duplex partner are not in it.
  MessageId* out_owners = nullptr;
  std::uint32_t owners = 0;

  void own_out(MessageId message) { out_owners[owners++] = message; }
  void disown_out(MessageId message) {
    auto* const end = out_owners + owners;
    auto* const place = std::find(out_owners, end, message);
    std::copy(place + 1, end, place);
    --owners;
  }
  /// Its place passes to another message.
  void replace_owner(MessageId message, MessageId by) {
    *std::find(out_owners, out_owners + owners, message) = by;
  }
};

}  // namespace busline
