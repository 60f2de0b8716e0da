// Messages in flight and posted requests: the replay's state for communication. Both are in pools and are
// named by index, so queues of them are intrusive lists, and nothing is allocated once warm.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace busline {

inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// A message from its Send call until its receive has it; models also use it for anything else that queues
/// like a message. 64 bytes.
struct Message {
  enum Flag : std::uint8_t {
    rendezvous = 1,       ///< waits for its receive
    launched = 2,         ///< handed to the model
    arrived = 4,          ///< complete at the destination
    blocking_sender = 8,  ///< `sender` is a strand, else a request
    reduce_part = 16,     ///< part of a root-synchronised Reduce: `request` is the instance
    standin = 32,         ///< not a message: represents a collective in a model's queue
    matched = 64,         ///< has its receive
  };
  std::uint32_t source = 0, destination = 0;  ///< ranks
  std::uint32_t channel = 0;  ///< index into Program::channels(); of a reduce part, its strand
  std::uint32_t next = kNone, previous = kNone;  ///< in a model's queue
  std::uint32_t request = kNone;  ///< its receive once matched, the channel's next message before
  std::uint32_t sender = kNone;   ///< waits for its start or end
  std::uint8_t flags = 0;
  std::uint8_t route = 0;       ///< the model's
  std::uint8_t connection = 0;  ///< the model's: one of several equal routes
  std::uint8_t held = 0;        ///< the model's: resources that it holds or waits for
  std::uint64_t bytes = 0;
  std::int64_t transfer = 0;  ///< time on links and bus, ps
  std::int64_t flight = 0;    ///< from there to the arrival, ps
  std::int64_t since = 0;     ///< start of the present wait, ps
  bool is(Flag f) const { return (flags & f) != 0; }
};
static_assert(sizeof(Message) == 64);

/// A posted receive, a send that may be waited for, or a started collective. 12 bytes.
struct Request {
  enum class State : std::uint8_t { open, complete };
  std::uint32_t next = kNone;    ///< in its channel's list of posted receives
  std::uint32_t waiter = kNone;  ///< strand blocked on it
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
  std::uint32_t take() {
    if (free_ == kNone) {
      messages_.emplace_back();
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const auto id = free_;
    free_ = messages_[id].next;
    messages_[id] = Message{};
    return id;
  }
  void give_back(std::uint32_t id) {
    messages_[id].next = free_;
    free_ = id;
  }
  /// The reference is valid until the next take().
  Message& operator[](std::uint32_t id) { return messages_[id]; }
  const Message& operator[](std::uint32_t id) const { return messages_[id]; }

 private:
  std::vector<Message> messages_;
  std::uint32_t free_ = kNone;
};

/// A queue of messages, linked through Message::next and previous; a message is in at most one.
struct MessageQueue {
  std::uint32_t head = kNone, tail = kNone;
  std::uint32_t length = 0, peak = 0;

  bool empty() const { return head == kNone; }
  void push_back(MessagePool& pool, std::uint32_t id) {
    pool[id].next = kNone;
    pool[id].previous = tail;
    (tail == kNone ? head : pool[tail].next) = id;
    tail = id;
    if (++length > peak) peak = length;
  }
  void push_front(MessagePool& pool, std::uint32_t id) {
    pool[id].previous = kNone;
    pool[id].next = head;
    (head == kNone ? tail : pool[head].previous) = id;
    head = id;
    if (++length > peak) peak = length;
  }
  std::uint32_t pop_front(MessagePool& pool) {
    const auto id = head;
    remove(pool, id);
    return id;
  }
  void remove(MessagePool& pool, std::uint32_t id) {
    const auto [next, previous] = std::pair(pool[id].next, pool[id].previous);
    (previous == kNone ? head : pool[previous].next) = next;
    (next == kNone ? tail : pool[next].previous) = previous;
    --length;
  }
};

}  // namespace busline
