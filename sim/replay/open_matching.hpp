// Matching for a rank that has open receives (MPI_ANY_SOURCE or MPI_ANY_TAG): their match depends on the
// order of arrival, so every message to the rank and every receive of it needs a search here.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"

namespace busline {

/// An eager message can be received once it has arrived, a rendezvous one from its send on; messages of one
/// source on one communicator are received in the order they were sent (MPI-3.1, section 3.5). Each step
/// costs a walk over the pending messages and receives of the rank.
class OpenMatching {
 public:
  bool used = false;
  /// Channel of the message that matched the last open receive; kNone before.
  ChannelId last_match = kNone;

  /// A receive: returns the first message that fits, in the order in which they became receivable; or kNone
  /// after posting it.
  MessageId post(RequestId request, std::uint32_t detail, const Program& p, const MessagePool& pool) {
    const auto found = std::find_if(receivable_.begin(), receivable_.end(),
                                    [&](MessageId m) { return fits(detail, p, pool[m]); });
    if (found == receivable_.end()) {
      posted_.push_back({request, detail});
      return kNone;
    }
    const auto message = *found;
    receivable_.erase(found);
    note(detail, pool[message]);
    return message;
  }

  /// A message is in flight or, with rendezvous, announced.
  void sent(MessageId message) { underway_.push_back(message); }

  /// The next message that has become receivable, or kNone. The caller then matches it.
  MessageId next_in_order(const Program& p, const MessagePool& pool) {
    for (auto i = underway_.begin(); i != underway_.end(); ++i) {
      const Message& m = pool[*i];
      if (!m.is(Message::arrived) && !m.is(Message::rendezvous)) continue;
      const auto communicator = p.channels()[raw(m.channel)].communicator;
      const bool overtakes = std::any_of(underway_.begin(), i, [&](MessageId earlier) {
        return pool[earlier].source == m.source &&
               p.channels()[raw(pool[earlier].channel)].communicator == communicator;
      });
      if (overtakes) continue;
      const auto message = *i;
      underway_.erase(i);
      return message;
    }
    return kNone;
  }

  /// The first posted receive that fits the message; or kNone: it stays receivable.
  RequestId match(MessageId message, const Program& p, const MessagePool& pool) {
    const auto found = std::find_if(posted_.begin(), posted_.end(),
                                    [&](const Posted& r) { return fits(r.detail, p, pool[message]); });
    if (found == posted_.end()) {
      receivable_.push_back(message);
      return kNone;
    }
    const auto request = found->request;
    note(found->detail, pool[message]);
    posted_.erase(found);
    return request;
  }

  /// The message that a receive posted now would get, or kNone.
  MessageId receivable(std::uint32_t detail, const Program& p, const MessagePool& pool) const {
    const auto found = std::find_if(receivable_.begin(), receivable_.end(),
                                    [&](MessageId m) { return fits(detail, p, pool[m]); });
    return found == receivable_.end() ? kNone : *found;
  }

 private:
  struct Posted {
    RequestId request;
    std::uint32_t detail;
  };

  void note(std::uint32_t detail, const Message& m) {
    if ((detail & kAnyChannel) != 0) last_match = m.channel;
  }

  static bool fits(std::uint32_t detail, const Program& p, const Message& m) {
    if ((detail & kAnyChannel) == 0) return m.channel == ChannelId{detail};
    const auto& w = p.wildcards()[detail & ~kAnyChannel];
    const auto& c = p.channels()[raw(m.channel)];
    return w.communicator == c.communicator && (w.source == kAnySource || w.source == c.source) &&
           (w.tag == kAnyTag ? c.tag >= 0 : w.tag == c.tag);
  }

  std::vector<Posted> posted_;         // in the order of the calls
  std::vector<MessageId> underway_;    // in the order of the sends
  std::vector<MessageId> receivable_;  // in the order in which they became so
};

}  // namespace busline
