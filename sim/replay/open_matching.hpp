// Matching for a rank that has open receives (MPI_ANY_SOURCE or MPI_ANY_TAG): their match depends on the
// order of arrival, so every message to the rank and every receive of it needs a search here.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"
#include "sim/replay/waiting_line.hpp"

namespace busline {

/// An eager message can be received once it has arrived, a rendezvous one from its send on; messages of one
/// source on one communicator are received in the order they were sent (MPI-3.1, section 3.5). So of each
/// source and communicator only the first message is looked at. A receive walks over the receivable messages
/// that it does not fit, and a message over such receives.
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
  void sent(MessageId message, const Program& p, const MessagePool& pool) {
    auto& line = line_of(pool[message], p);
    const bool first = line.empty();
    line.push_back({sends_++, message});
    if (first) look_at_first(line, pool);
  }
  /// A message that was sent before has arrived, as its flags say.
  void arrived(MessageId message, const Program& p, const MessagePool& pool) {
    auto& line = line_of(pool[message], p);
    if (line.front().message == message) look_at_first(line, pool);
  }

  /// The next message that has become receivable, or kNone. The caller then matches it.
  MessageId next_in_order(const MessagePool& pool) {
    if (due_.empty()) return kNone;
    if (due_.size() > 1) std::pop_heap(due_.begin(), due_.end(), SentLater{});
    auto& line = *due_.back();
    due_.pop_back();
    const auto message = line.front().message;
    line.pop_front();
    if (!line.empty()) look_at_first(line, pool);
    return message;
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

  struct Sent {
    std::uint64_t number = 0;  // in the order of the sends
    MessageId message{};
  };
  using Sends = WaitingLine<Sent>;
  struct SentLater {
    bool operator()(const Sends* a, const Sends* b) const { return a->front().number > b->front().number; }
  };

  /// Messages under way from the same source on the same communicator, in the order of the sends.
  Sends& line_of(const Message& m, const Program& p) {
    const std::uint64_t communicator = p.channels()[raw(m.channel)].communicator;
    return underway_[communicator << 32U | raw(m.source)];
  }
  [[gnu::always_inline]] void look_at_first(Sends& line, const MessagePool& pool) {
    const Message& m = pool[line.front().message];
    if (!m.is(Message::arrived) && !m.is(Message::rendezvous)) return;
    due_.push_back(&line);
    if (due_.size() > 1) std::push_heap(due_.begin(), due_.end(), SentLater{});
  }

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

  WaitingLine<Posted> posted_;         // in the order of the calls
  WaitingLine<MessageId> receivable_;  // in the order in which they became so
  std::unordered_map<std::uint64_t, Sends> underway_;
  std::vector<Sends*> due_;  // of underway_, those whose first message is receivable: a heap
  std::uint64_t sends_ = 0;
};

}  // namespace busline
