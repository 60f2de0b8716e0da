// Taking and giving back links: first an output link, then an input link, FIFO, and Dimemas's stealing: a
// message that holds an output link but waits for its input link yields it to one that can use it at once
// (docs/model.md, sections 4.1 and 4.2).
#pragma once
#include <cstdint>

#include "models/links_and_buses/pools.hpp"
#include "platforms/description/platform.hpp"

namespace busline {

/// Bits of Message::held.
enum Held : std::uint8_t {
  holds_out = 1,
  holds_in = 2,
  waits_for_in = 4,  ///< is in an input queue
  holds_bus = 8,
};

inline LinkPool make_pool(const Links& links) {
  LinkPool pool;
  pool.limited = links.kind != Links::Kind::unlimited;
  pool.half_duplex = links.kind == Links::Kind::half_duplex;
  pool.free_out = links.out;
  pool.free_in = links.in;
  return pool;
}

inline void set(Message& m, Held bit) {
  m.held = static_cast<std::uint8_t>(m.held | bit);
}
inline void clear(Message& m, unsigned bits) {
  m.held = static_cast<std::uint8_t>(m.held & ~bits);
}

/// True if the message holds an output link of the pool now; else it is at the end of its output queue.
inline bool take_out(MessagePool& messages, LinkPool& pool, MessageId id) {
  Message& m = messages[id];
  if ((m.held & holds_out) != 0) return true;
  if (pool.free_out == 0) {
    pool.out_queue.push_back(messages, id);
    return false;
  }
  --pool.free_out;
  if (pool.half_duplex) --pool.free_in;
  pool.own_out(id);
  set(m, holds_out);
  return true;
}

/// The same for an input link.
inline bool take_in(MessagePool& messages, LinkPool& pool, MessageId id) {
  Message& m = messages[id];
  if ((m.held & holds_in) != 0) return true;
  if (pool.free_in == 0) {
    set(m, waits_for_in);
    pool.in_queue.push_back(messages, id);
    return false;
  }
  --pool.free_in;
  if (pool.half_duplex) --pool.free_out;
  set(m, holds_in);
  return true;
}

/// The message that has owned an output link longest among those that wait for their input link, or kNone.
inline MessageId stealable(const MessagePool& messages, const LinkPool& pool) {
  for (std::uint32_t i = 0; i < pool.owners; ++i)
    if ((messages[pool.out_owners[i]].held & waits_for_in) != 0) return pool.out_owners[i];
  return kNone;
}

}  // namespace busline
