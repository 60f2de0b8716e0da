// A Program: the operations of a job's ranks, as flat arrays of small structs. Traces are compiled into it
// and generators emit it; later stages do not depend on its origin. Immutable once built, shared by threads.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"

namespace busline {

inline constexpr std::uint32_t kAnySource = 0xffff'ffff;  ///< Operation::peer of an open receive
inline constexpr std::uint32_t kNoRequest =
    0xffff'ffff;  ///< Operation::request of an operation without a wait
inline constexpr std::uint32_t kAnyChannel = 0x8000'0000;  ///< set in Operation::detail of an open receive
inline constexpr std::uint32_t kPartChannel =
    0x7fff'ffff;  ///< the channels of messages inside collectives, which no Program lists
inline constexpr std::int32_t kAnyTag =
    -1;  ///< accepts any tag from 0 on; tags below 0 are internal to readers

enum class OpKind : std::uint8_t {
  compute,           ///< amount: picoseconds on the traced machine
  noop,              ///< separates simultaneous operations (Dimemas record 0)
  event,             ///< detail: type; amount: value, 0 ends it. Free of cost; may switch a Machine::Module
  send,              ///< peer, amount: bytes, detail: channel
  isend,             ///< as send; request: slot or kNoRequest
  recv,              ///< peer, amount: bytes requested by the receiver, detail: channel
  irecv,             ///< the same; request: slot
  wait_send,         ///< request: slot of an isend, a put or a get, whose other fields it repeats
  wait_recv,         ///< request: slot of an irecv; peer, amount and detail repeat the irecv's
  probe,             ///< blocks until a message of the channel could be received; peer, detail
  collective,        ///< detail: index into Program::collectives()
  collective_start,  ///< the same; request: slot
  collective_wait,   ///< the same; request: slot
  put,               ///< one-sided: peer, amount: bytes to it, detail: channel to it; request: slot
  get,               ///< one-sided: peer, amount: bytes from it, detail: channel from it; request: slot
  mark,              ///< notes the time under the label `detail` (Result::marks); free of cost
  local,             ///< a call that concerns only its rank; amount: bytes that it copies in memory
  repeat,  ///< goes back `amount` operations, at most `request` times, unless the last open receive of
           ///< the rank matched a message with the tag that channel `detail` has
  start,   ///< a strand's first operation: it begins at the time `amount`, in picoseconds
  again,   ///< a strand's last operation: once all strands that end so for communicator `detail` are here,
           ///< they begin again (after `start`). The run is over when the other strands have ended.
  // Only while a replay runs a collective's algorithm, never in a Program.
  part_send,     ///< as isend, in a channel private to the collective; detail: kPartChannel
  part_receive,  ///< as irecv, likewise
};

/// One step of a rank: 24 bytes. The meaning of the fields by kind is above; others are 0.
struct Operation {
  enum Flag : std::uint8_t {
    first_of_call = 1,  ///< begins a new MPI call (a call may be several operations)
    synchronous = 2,    ///< a send that always uses rendezvous: Ssend, or a .dim send with its rendezvous bit
    buffered = 4,       ///< a send that completes locally: Bsend
    elapsed = 8,        ///< a compute whose time is the same on every CPU: file access
    to_last_source = 16,  ///< a send to the source that matched the rank's last open receive; peer is
                          ///< kAnySource, and of the channel only communicator and tag count
  };
  OpKind kind = OpKind::noop;
  std::uint8_t flags = 0;
  std::uint16_t call = 0;  ///< index into Program::call_names()
  std::uint32_t peer = 0;  ///< a rank of the job (not of a communicator)
  std::int64_t amount = 0;
  std::uint32_t detail = 0;
  std::uint32_t request = kNoRequest;
};
static_assert(sizeof(Operation) == 24);

/// A receive, its wait or a probe that is open: `detail` has a wildcard, not a channel.
constexpr bool is_open_receive(const Operation& op) {
  return (op.kind == OpKind::recv || op.kind == OpKind::irecv || op.kind == OpKind::wait_recv ||
          op.kind == OpKind::probe) &&
         (op.detail & kAnyChannel) != 0;
}

/// All messages with this source, destination, communicator and tag. MPI keeps their order.
struct Channel {
  std::uint32_t source = 0, destination = 0;
  std::uint32_t communicator = 0;
  std::int32_t tag = 0;
};

/// What an open receive accepts (kAnySource and/or kAnyTag).
struct Wildcard {
  std::uint32_t source = kAnySource, destination = 0;
  std::uint32_t communicator = 0;
  std::int32_t tag = kAnyTag;
};

struct Communicator {
  std::vector<std::uint32_t> members;  ///< ranks of the job; both groups of an inter-communicator
};

/// One rank's arguments of a collective. Equal ones are stored once.
struct CollectiveArgs {
  enum class Sync : std::uint8_t {
    blocking,
    nonblocking,
    root_synchronised,  ///< a Reduce whose members each send to the root (Dimemas record sync 3)
  };
  CollectiveKind kind = CollectiveKind::barrier;
  Sync sync = Sync::blocking;
  bool is_root = false;  ///< this rank is the root
  std::uint32_t communicator = 0;
  std::uint32_t root = 0;        ///< rank of the job; only for root_synchronised
  std::uint32_t block_list = 0;  ///< number in Program::block_lists(), from 1; 0: no sizes differ
  std::uint64_t send_bytes = 0;  ///< per peer; docs/model.md, section 5.3, defines it by operation
  std::uint64_t recv_bytes = 0;
  auto operator<=>(const CollectiveArgs&) const = default;
};

/// Sizes in bytes by position in the communicator, where they differ: what a rank sends to each member in an
/// Alltoallv or Alltoallw; the part of each member in an Allgatherv, a Reduce_scatter, and, at the root, a
/// Gatherv or Scatterv.
struct BlockLists {
  std::span<const std::uint64_t> ends;  ///< of each list in `bytes`; it begins where the one before it ends
  std::span<const std::uint64_t> bytes;

  std::size_t size() const { return ends.size(); }
  /// `number` is CollectiveArgs::block_list, 1 to size().
  std::span<const std::uint64_t> list(std::uint32_t number) const {
    const auto begin = number == 1 ? 0 : ends[number - 2];
    return bytes.subspan(begin, ends[number - 1] - begin);
  }
};
/// Whether calls of this kind may have a list; of a Gatherv and a Scatterv the root's.
constexpr bool may_list_blocks(CollectiveKind k) {
  using enum CollectiveKind;
  return k == gatherv || k == scatterv || k == allgatherv || k == alltoallv || k == alltoallw ||
         k == reduce_scatter;
}

/// The meaning of a user event, for timelines.
struct EventLabel {
  std::uint32_t type = 0;
  std::int64_t value = 0;
  std::string text;
};

/// A sequence of operations that runs in order: a thread of a rank. Most ranks have one.
struct Strand {
  std::uint32_t rank = 0;
  std::uint64_t begin = 0, end = 0;  ///< range in Program's operations
};

/// The tables of a Program, wherever they are stored. ProgramBuilder defines their rules.
struct ProgramTables {
  std::span<const Strand>
      strands;  ///< in rank order; each begins in `operations` where the previous one ends
  std::span<const Operation> operations;
  std::span<const Channel> channels;
  std::span<const Wildcard> wildcards;
  std::span<const Communicator> communicators;  ///< the first one holds all ranks
  std::span<const CollectiveArgs> collectives;
  BlockLists block_lists;
  std::span<const std::string> call_names;
  std::span<const EventLabel> event_labels;
  std::span<const std::uint32_t> request_slots;  ///< by rank
  std::optional<Duration> traced_run_time;
};

/// Copies share the tables and are cheap; so are moves, which leave the source unchanged.
class Program {
 public:
  Program() = default;
  /// `owner` keeps the memory behind `tables` alive: vectors, or a mapped file. Undefined if the tables break
  /// a rule of ProgramBuilder; code that reads them from a file checks them first.
  Program(const ProgramTables& tables, std::shared_ptr<const void> owner)
      : tables_(tables), owner_(std::move(owner)) {}
  Program(const Program&) = default;
  Program& operator=(const Program&) = default;
  ~Program() = default;

  /// All tables, for code that checks or copies them.
  const ProgramTables& tables() const { return tables_; }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(tables_.request_slots.size()); }
  std::span<const Strand> strands() const { return tables_.strands; }  ///< in rank order
  std::span<const Operation> operations() const { return tables_.operations; }
  std::span<const Operation> operations(const Strand& s) const {
    return operations().subspan(s.begin, s.end - s.begin);
  }
  std::span<const Channel> channels() const { return tables_.channels; }
  std::span<const Wildcard> wildcards() const { return tables_.wildcards; }
  std::span<const Communicator> communicators() const { return tables_.communicators; }
  std::span<const CollectiveArgs> collectives() const { return tables_.collectives; }
  const BlockLists& block_lists() const { return tables_.block_lists; }
  std::span<const std::string> call_names() const { return tables_.call_names; }
  std::span<const EventLabel> event_labels() const { return tables_.event_labels; }
  /// Request slots 0 .. request_slots(rank) - 1 are used by the rank's operations.
  std::uint32_t request_slots(std::uint32_t rank) const { return tables_.request_slots[rank]; }
  /// Request slots of all ranks.
  std::span<const std::uint32_t> request_slots() const { return tables_.request_slots; }
  /// The duration of the traced run, if the workload has it.
  std::optional<Duration> traced_run_time() const { return tables_.traced_run_time; }
  /// The call that operation `index` (in operations()) belongs to, from 1 within its strand. Linear.
  std::uint64_t call_number(const Strand& s, std::uint64_t index) const;
  /// Index of a name in call_names(), if it exists there.
  std::optional<std::uint16_t> find_call(std::string_view name) const;

 private:
  ProgramTables tables_;
  std::shared_ptr<const void> owner_;
};

}  // namespace busline
