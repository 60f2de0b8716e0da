#include "sim/program/operation_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace busline {
namespace {

enum class Slot : std::uint8_t { none, optional, required, count };  // count: `request` is a number of times

/// The fields that each kind of operation has (see OpKind for their meaning); others are 0.
struct Shape {
  bool peer = false, amount = false, detail = false;
  Slot slot = Slot::none;
  unsigned flags = 0;  ///< besides first_of_call

  constexpr Shape with(Slot s, unsigned f = 0) const { return {peer, amount, detail, s, f}; }
};

constexpr unsigned kModes = Operation::synchronous | Operation::buffered;
constexpr unsigned kAnswer = Operation::to_last_source;
constexpr Shape kMessage{.peer = true, .amount = true, .detail = true};
constexpr Shape kCollective{.detail = true};
constexpr std::size_t kKinds = 20;
constexpr std::array<Shape, kKinds> kShapes{{
    {.amount = true, .flags = Operation::elapsed},          // compute
    {},                                                     // noop
    {.amount = true, .detail = true},                       // event
    kMessage.with(Slot::none, kModes | kAnswer),            // send
    kMessage.with(Slot::optional, kModes | kAnswer),        // isend
    kMessage,                                               // recv
    kMessage.with(Slot::required),                          // irecv
    kMessage.with(Slot::required),                          // wait_send
    kMessage.with(Slot::required),                          // wait_recv
    {.peer = true, .detail = true},                         // probe
    kCollective,                                            // collective
    kCollective.with(Slot::required),                       // collective_start
    kCollective.with(Slot::required),                       // collective_wait
    kMessage.with(Slot::required),                          // put
    kMessage.with(Slot::required),                          // get
    {.detail = true},                                       // mark
    {.amount = true},                                       // local
    {.amount = true, .detail = true, .slot = Slot::count},  // repeat
    {.amount = true},                                       // start
    {.detail = true},                                       // again
}};
static_assert(kKinds == static_cast<std::size_t>(OpKind::again) + 1);

constexpr bool is_wait(OpKind k) {
  return k == OpKind::wait_send || k == OpKind::wait_recv || k == OpKind::collective_wait;
}

/// The wait for each kind of operation with a slot.
constexpr OpKind wait_for(OpKind begun) {
  switch (begun) {
    case OpKind::irecv:
      return OpKind::wait_recv;
    case OpKind::collective_start:
      return OpKind::collective_wait;
    default:
      return OpKind::wait_send;
  }
}

}  // namespace

std::optional<BrokenRule> OperationRules::first_broken() {
  const auto strands = t_.strands;
  std::size_t i = 0;
  for (rank_ = 0; rank_ < t_.request_slots.size(); ++rank_) {
    const auto first = i;
    while (i < strands.size() && strands[i].rank == rank_) ++i;
    const auto begin = first < i ? strands[first].begin : 0;
    const auto end = first < i ? strands[i - 1].end : 0;
    const auto slots = t_.request_slots[rank_];
    if (slots > end - begin)
      return BrokenRule{"request slots", rank_,
                        fmt::format("is {}, but the rank has {} operations", slots, end - begin)};
    origin_.assign(slots, kNone);
    if (auto wrong = i - first <= 1 ? one_strand(begin, end) : several_strands(begin, end)) return wrong;
  }
  const auto begins_again = [this](const Strand& s) {
    return s.begin != s.end && t_.operations[s.end - 1].kind == OpKind::again;
  };
  if (!strands.empty() && std::all_of(strands.begin(), strands.end(), begins_again))
    return BrokenRule{"strands", 0, "all begin again, so that no run would end"};
  return {};
}

std::optional<BrokenRule> OperationRules::one_strand(std::uint64_t begin_at, std::uint64_t end) {
  strand_begin_ = begin_at;
  strand_end_ = end;
  for (auto at = begin_at; at < end; ++at)
    if (const auto& op = t_.operations[at]; !fields(op) || !begin(at) || !wait(op, false))
      return BrokenRule{"operations", at, message_};
  return {};
}

// A strand may wait for an operation that a later strand begins.
std::optional<BrokenRule> OperationRules::several_strands(std::uint64_t begin_at, std::uint64_t end) {
  strand_begin_.reset();
  for (auto at = begin_at; at < end; ++at)
    if (!fields(t_.operations[at]) || !begin(at)) return BrokenRule{"operations", at, message_};
  for (auto at = begin_at; at < end; ++at)
    if (!wait(t_.operations[at], true)) return BrokenRule{"operations", at, message_};
  return {};
}

bool OperationRules::fail(std::string message) {
  message_ = std::move(message);
  return false;
}

bool OperationRules::fields(const Operation& op) {
  const auto kind = static_cast<std::size_t>(op.kind);
  if (kind >= kKinds) return fail(fmt::format("kind is {}, expected 0 to {}", kind, kKinds - 1));
  const Shape& shape = kShapes[kind];
  if ((op.flags & ~(shape.flags | Operation::first_of_call)) != 0 || (op.flags & kModes) == kModes)
    return fail(fmt::format("flags are {}, which its kind does not have", op.flags));
  if (op.call >= t_.call_names.size())
    return fail(fmt::format("call is {}, expected 0 to {}", op.call, t_.call_names.size() - 1));
  if (op.kind == OpKind::compute && op.call != 0 && (op.flags & Operation::elapsed) == 0)
    return fail(fmt::format("call is {}, expected 0 for a computation", op.call));
  if (op.amount < 0 && op.kind != OpKind::event)
    return fail(fmt::format("amount is {}, expected 0 or more", op.amount));
  if ((!shape.peer && op.peer != 0) || (!shape.amount && op.amount != 0) || (!shape.detail && op.detail != 0))
    return fail("a field that its kind does not have is not 0");
  if (shape.slot == Slot::count) return repeat(op);
  if (op.request == kNoRequest ? shape.slot == Slot::required : shape.slot == Slot::none)
    return fail(op.request == kNoRequest ? "has no request" : "has a request");
  if (op.request != kNoRequest && op.request >= origin_.size())
    return fail(fmt::format("request is {}, but rank {} has {}", op.request, rank_, origin_.size()));
  switch (op.kind) {
    case OpKind::send:
    case OpKind::isend:
    case OpKind::recv:
    case OpKind::irecv:
    case OpKind::probe:
    case OpKind::put:
    case OpKind::get:
      return message(op);
    case OpKind::collective:
    case OpKind::collective_start:
      return collective(op);
    case OpKind::start:
    case OpKind::again:
      return end_of_strand(op);
    default:
      return true;
  }
}

// What is begun again leaves nothing behind: its requests have been waited for.
bool OperationRules::end_of_strand(const Operation& op) {
  const auto at = static_cast<std::uint64_t>(&op - t_.operations.data());
  if (op.kind == OpKind::start) {
    const auto strand =
        std::lower_bound(t_.strands.begin(), t_.strands.end(), at,
                         [](const Strand& s, std::uint64_t begin) { return s.begin < begin; });
    return (strand != t_.strands.end() && strand->begin == at) ||
           fail("is not the first operation of its strand");
  }
  if (!strand_begin_) return fail("is in a rank of several strands");
  if (at + 1 != strand_end_) return fail("is not the last operation of its strand");
  if (op.detail >= t_.communicators.size() || !memberships_.has(op.detail, rank_))
    return fail(fmt::format("rank {} is not a member of communicator {}", rank_, op.detail));
  if (std::any_of(origin_.begin(), origin_.end(), [](std::uint64_t begun) { return begun != kNone; }))
    return fail("begins again with requests that it has not waited for");
  return true;
}

// A repeat stays within its strand, holds no other repeat, and waits for exactly the operations that it
// begins. So repeats do not overlap, and checking all their contents is linear in the number of operations.
bool OperationRules::repeat(const Operation& op) {
  if (op.detail >= t_.channels.size())
    return fail(fmt::format("channel is {}, but there are {}", op.detail, t_.channels.size()));
  if (!strand_begin_) return fail("is in a rank of several strands");
  const auto at = static_cast<std::uint64_t>(&op - t_.operations.data());
  const auto length = static_cast<std::uint64_t>(op.amount);
  if (length == 0 || length > at - *strand_begin_)
    return fail(fmt::format("goes back {} operations, expected 1 to {}", length, at - *strand_begin_));
  bool receives = false;
  std::set<std::uint32_t> begun;
  for (auto i = at - length; i < at; ++i) {
    const auto& repeated = t_.operations[i];
    if (repeated.kind == OpKind::repeat) return fail("holds another repeat");
    receives = receives || (repeated.kind == OpKind::recv && (repeated.detail & kAnyChannel) != 0);
    if (repeated.request == kNoRequest) continue;
    if (!is_wait(repeated.kind))
      begun.insert(repeated.request);
    else if (begun.erase(repeated.request) == 0)
      return fail(fmt::format("holds the wait for request {}, which began before it", repeated.request));
  }
  if (!begun.empty()) return fail(fmt::format("does not hold the wait for request {}", *begun.begin()));
  return receives || fail("holds no receive from any source or with any tag");
}

// The channel of an answer leads from the rank to itself. An answer that does not block has no wait.
bool OperationRules::answer(const Operation& op) {
  if (op.detail >= t_.channels.size())
    return fail(fmt::format("channel is {}, but there are {}", op.detail, t_.channels.size()));
  const auto& c = t_.channels[op.detail];
  if (op.peer != kAnySource || c.source != rank_ || c.destination != rank_)
    return fail("is an answer, and its channel does not lead from the rank to itself");
  return op.request == kNoRequest || fail("is an answer that is waited for");
}

bool OperationRules::message(const Operation& op) {
  if ((op.flags & kAnswer) != 0) return answer(op);
  const bool sends = op.kind == OpKind::send || op.kind == OpKind::isend || op.kind == OpKind::put;
  const bool open = !sends && op.kind != OpKind::get && (op.detail & kAnyChannel) != 0;
  const auto index = open ? op.detail & ~kAnyChannel : op.detail;
  const auto size = open ? t_.wildcards.size() : t_.channels.size();
  if (index >= size)
    return fail(fmt::format("{} is {}, but there are {}", open ? "wildcard" : "channel", index, size));
  const auto source = open ? t_.wildcards[index].source : t_.channels[index].source;
  const auto destination = open ? t_.wildcards[index].destination : t_.channels[index].destination;
  if (source == (sends ? rank_ : op.peer) && destination == (sends ? op.peer : rank_)) return true;
  return fail(fmt::format("rank {} and peer {} are not the ends of its {}, {} to {}", rank_, op.peer,
                          open ? "wildcard" : "channel", source, destination));
}

bool OperationRules::collective(const Operation& op) {
  if (op.detail >= t_.collectives.size())
    return fail(fmt::format("collective is {}, but there are {}", op.detail, t_.collectives.size()));
  const auto& args = t_.collectives[op.detail];
  if ((args.sync == CollectiveArgs::Sync::nonblocking) != (op.kind == OpKind::collective_start))
    return fail("the collective blocks and the operation does not, or the other way round");
  if (!memberships_.has(args.communicator, rank_))
    return fail(fmt::format("rank {} is not a member of communicator {}", rank_, args.communicator));
  if (args.sync == CollectiveArgs::Sync::root_synchronised && args.is_root != (args.root == rank_))
    return fail(args.is_root
                    ? fmt::format("rank {} is the root, but its collective names rank {}", rank_, args.root)
                    : fmt::format("rank {} is not the root, but its collective names it", rank_));
  return true;
}

/// An operation may begin a slot only if it is free.
bool OperationRules::begin(std::uint64_t at) {
  const auto& op = t_.operations[at];
  if (op.request == kNoRequest || is_wait(op.kind) || op.kind == OpKind::repeat) return true;
  if (std::exchange(origin_[op.request], at) == kNone) return true;
  return fail(fmt::format("request {} is already open", op.request));
}

/// A wait needs an open slot. The slot is free afterwards, unless it may be waited for `again`.
bool OperationRules::wait(const Operation& op, bool again) {
  if (!is_wait(op.kind)) return true;
  const auto at = origin_[op.request];
  if (at == kNone) return fail(fmt::format("waits for request {}, which is not open", op.request));
  const auto& origin = t_.operations[at];
  if (wait_for(origin.kind) != op.kind || origin.peer != op.peer || origin.amount != op.amount ||
      origin.detail != op.detail)
    return fail(fmt::format("waits for request {}, which another operation began", op.request));
  if (!again) origin_[op.request] = kNone;
  return true;
}

}  // namespace busline
