// Messages in flight and posted requests: the replay's state for communication. Both are in pools and are
// named by index, so queues of them are intrusive lists, and nothing is allocated once warm.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/ids.hpp"

namespace busline {

/// A message from its Send call until its receive has it; models also use it for anything else that queues
/// like a message. 64 bytes.
struct Message {
  enum Flag : std::uint8_t {
    rendezvous = 1,       ///< waits for its receive
    launched = 2,         ///< handed to the model
    arrived = 4,          ///< complete at the destination
    blocking_sender = 8,  ///< a strand waits, else a request
    reduce_part = 16,     ///< part of a root-synchronised Reduce
    standin = 32,         ///< not a message: represents a collective in a model's queue
    matched = 64,         ///< has its receive
    requested = 128,      ///< the request of its handshake has not been read (replay_handshakes.hpp)
  };
  RankId source{}, destination{};
  ChannelId channel{};  ///< of a reduce part, its strand(); of a stand-in, the representative()
  MessageId next = kNone, previous = kNone;  ///< in a model's queue
  RequestId request = kNone;  ///< its receive once matched; see next_in_channel() and collective()
  RequestId sender = kNone;   ///< waits for its start or end; see blocked_sender()
  std::uint8_t flags = 0;
  std::uint8_t route = 0;       ///< the model's
  std::uint8_t connection = 0;  ///< the model's: one of several equal routes
  std::uint8_t held = 0;        ///< the model's: resources that it holds or waits for
  std::uint64_t bytes = 0;
  std::int64_t transfer = 0;  ///< time on links and bus, ps
  std::int64_t flight = 0;    ///< from there to the arrival, ps
  std::int64_t since = 0;     ///< start of the present wait, ps; before a rendezvous, the time of its send
  bool is(Flag f) const { return (flags & f) != 0; }

  // ---- fields that hold something else. Before the message is matched, the next one of its channel:
  MessageId next_in_channel() const { return MessageId{raw(request)}; }
  void set_next_in_channel(MessageId id) { request = RequestId{raw(id)}; }
  /// With blocking_sender:
  StrandId blocked_sender() const { return StrandId{raw(sender)}; }
  static StrandId as_strand(RequestId sender) { return StrandId{raw(sender)}; }
  void set_blocked_sender(StrandId strand) { sender = RequestId{raw(strand)}; }
  /// For a reduce part or a stand-in:
  CollectiveId collective() const { return CollectiveId{raw(request)}; }
  void set_collective(CollectiveId id) { request = RequestId{raw(id)}; }
  /// For a reduce part:
  StrandId strand() const { return StrandId{raw(channel)}; }
  void set_strand(StrandId strand) { channel = ChannelId{raw(strand)}; }
  /// For a stand-in, its index in CollectiveInstance::representatives:
  std::size_t representative() const { return raw(channel); }
  void set_representative(std::size_t index) { channel = ChannelId{static_cast<std::uint32_t>(index)}; }
};
static_assert(sizeof(Message) == 64);

/// A posted receive, a send that may be waited for, or a started collective. 12 bytes.
struct Request {
  enum class State : std::uint8_t { open, complete };
  RequestId next = kNone;   ///< in its channel's list of posted receives
  StrandId waiter = kNone;  ///< blocked on it
  State state = State::open;
  /// Begins an operation. Another strand of the rank may already wait for it.
  void reopen() {
    next = kNone;
    state = State::open;
  }
};
static_assert(sizeof(Request) == 12);

/// Messages by index; freed ones are reused, last freed first.
class MessagePool {
 public:
  MessageId take() {
    if (free_ == kNone) {
      const auto id = messages_.next();
      messages_.emplace_back();
      return id;
    }
    const auto id = free_;
    free_ = messages_[id].next;
    messages_[id] = Message{};
    return id;
  }
  void give_back(MessageId id) {
    messages_[id].next = free_;
    messages_[id].flags = 0;
    free_ = id;
  }
  /// Those in use, and others, whose flags are 0.
  IdRange<MessageId> ids() const { return messages_.ids(); }
  /// The reference is valid until the next take().
  Message& operator[](MessageId id) { return messages_[id]; }
  const Message& operator[](MessageId id) const { return messages_[id]; }

 private:
  IdVector<MessageId, Message> messages_;
  MessageId free_ = kNone;
};

/// A queue of messages, linked through Message::next and previous; a message is in at most one.
struct MessageQueue {
  MessageId head = kNone, tail = kNone;
  std::uint32_t length = 0, peak = 0;

  bool empty() const { return head == kNone; }
  void push_back(MessagePool& pool, MessageId id) {
    pool[id].next = kNone;
    pool[id].previous = tail;
    (tail == kNone ? head : pool[tail].next) = id;
    tail = id;
    if (++length > peak) peak = length;
  }
  void push_front(MessagePool& pool, MessageId id) {
    pool[id].previous = kNone;
    pool[id].next = head;
    (head == kNone ? tail : pool[head].previous) = id;
    head = id;
    if (++length > peak) peak = length;
  }
  MessageId pop_front(MessagePool& pool) {
    const auto id = head;
    remove(pool, id);
    return id;
  }
  void remove(MessagePool& pool, MessageId id) {
    const auto [next, previous] = std::pair(pool[id].next, pool[id].previous);
    (previous == kNone ? head : pool[previous].next) = next;
    (next == kNone ? tail : pool[next].previous) = previous;
    --length;
  }
};

}  // namespace busline
