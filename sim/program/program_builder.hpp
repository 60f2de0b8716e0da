// Builds Programs, and is the only code that establishes their invariants: ranks in range, free slots,
// existing channels.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/program/program.hpp"

namespace busline {

/// How a send behaves: by the platform's eager limit, always rendezvous, or complete locally.
enum class SendMode : std::uint8_t { standard, synchronous, buffered };

/// The arguments of a point-to-point call. Ranks are ranks of the job; a caller translates and checks them
/// first.
struct Envelope {
  std::uint32_t peer = 0;  ///< kAnySource for an open receive
  std::int32_t tag = 0;    ///< kAnyTag for an open receive
  std::uint32_t communicator = 0;
};

/// One of the ranks that a neighbourhood collective exchanges data with.
struct Neighbor {
  std::uint32_t rank = 0;  ///< of the job
  Bytes size{};
};

/// Usage: for each rank `begin_strand`, then its operations in program order; `build` at the end. All
/// arguments must be in range; readers check data from files first.
class ProgramBuilder {
 public:
  /// A job of `ranks` ranks. Communicator 0 exists and holds all of them.
  explicit ProgramBuilder(std::uint32_t ranks);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(made_.request_slots.size()); }
  /// Id of a new communicator. `members` are ranks of the job, without repeats.
  std::uint32_t add_communicator(std::vector<std::uint32_t> members);
  std::span<const std::uint32_t> members(std::uint32_t communicator) const;
  /// Number of a call name, for begin_call. Equal texts get the same number.
  std::uint16_t call_name(std::string_view name);

  /// Reserves room for this many operations in total; saves time, and memory during building.
  void reserve(std::uint64_t operations) { made_.operations.reserve(operations); }
  /// Operations that follow belong to a new strand of `rank`. Strands of a rank must follow one another, with
  /// ranks in ascending order. `sole` is false if the rank has several strands: then no slot is used twice,
  /// since only the simulated clock decides which strand is first.
  void begin_strand(std::uint32_t rank, bool sole = true);
  /// The next operation begins a call of this name; later ones belong to it until the next begin_call.
  void begin_call(std::uint16_t name);

  void compute(Duration d);
  /// Time that passes in the current call whatever the CPU's speed: it belongs to the call.
  void elapse(Duration d);
  void noop();
  void event(std::uint32_t type, std::int64_t value);
  /// Records the time at which the rank gets here under `label` (Result::marks); benchmarks measure with it.
  void mark(std::uint32_t label);
  /// A call that does not communicate (MPI_Wtime, a copy in memory); `copied` bytes are read and written.
  void local(Bytes copied);
  /// Defines the meaning of an event. At most once for each (type, value).
  void label_event(std::uint32_t type, std::int64_t value, std::string_view text) {
    made_.event_labels.push_back({type, value, std::string(text)});
  }
  void send(const Envelope& to, Bytes size, SendMode mode = SendMode::standard);
  /// Answers the message that the last open receive of the rank matched; `to.peer` is ignored.
  void send_to_last_source(Envelope to, Bytes size, SendMode mode = SendMode::standard);
  /// The same without blocking and without a wait.
  void isend_to_last_source(const Envelope& to, Bytes size);
  /// Repeats the operations from position `begin` on until the last open receive of the rank matched a
  /// message with `tag` on `communicator`, and `most` times at most. They must hold such a receive, and no
  /// repeat.
  void repeat_until(std::uint64_t begin, std::int32_t tag, std::uint32_t communicator, std::uint32_t most);
  void recv(const Envelope& from, Bytes size);
  void probe(const Envelope& from);
  /// The slot names the request until `wait`. isend_and_forget is for sends without a wait.
  std::uint32_t isend(const Envelope& to, Bytes size, SendMode mode = SendMode::standard);
  void isend_and_forget(const Envelope& to, Bytes size, SendMode mode = SendMode::standard);
  std::uint32_t irecv(const Envelope& from, Bytes size);
  /// A neighbourhood collective (docs/model.md, section 5.8): a receive from each of `sources`, then a
  /// message to each of `destinations`, all with tag 0 on `communicator`, which should have no other
  /// messages. Ranks of the job, with the bytes of each; a rank may be there several times, and may be the
  /// own one. Returns the slots to wait for: at once, or for an I-form where its request is waited for.
  std::vector<std::uint32_t> exchange_with_neighbors(std::span<const Neighbor> sources,
                                                     std::span<const Neighbor> destinations,
                                                     std::uint32_t communicator);
  /// One-sided transfers to or from the memory of `to` or `from`, which takes no part: no receive matches
  /// them. The request is complete when the bytes have arrived.
  std::uint32_t put(const Envelope& to, Bytes size);
  std::uint32_t get(const Envelope& from, Bytes size);
  /// For CollectiveArgs::block_list: the number of a list of sizes in bytes, one for each member; 0 if all
  /// are equal. Equal lists are stored once. Cost: linear in the list.
  std::uint32_t block_list(std::span<const std::uint64_t> bytes);
  void collective(const CollectiveArgs& args);
  std::uint32_t collective_start(const CollectiveArgs& args);
  /// Waits for the operation of a slot, which was emitted before. The slot is free again afterwards.
  void wait(std::uint32_t slot);
  /// The same for an operation that a later strand of the rank emits: reserves a place for the wait, and
  /// fills it once the operation has been emitted and has its slot. A place that is not filled waits for
  /// nothing.
  std::uint64_t wait_later();
  void fill_wait(std::uint64_t position, std::uint32_t slot);

  /// Position of the next operation, for `erase`.
  std::uint64_t position() const { return made_.operations.size(); }
  /// Turns an operation into a noop: a receive that the traced program cancelled.
  void erase(std::uint64_t position);
  void set_traced_run_time(Duration d) { made_.traced_run_time = d; }

  /// Appends the strands of `part`, made for a job of as many ranks, as if its functions had been called
  /// here. Its ranks are above those here, and it made no repeats. `communicators` holds, for each
  /// communicator of the part, its id here. Linear in the part.
  void append(ProgramBuilder&& part, std::span<const std::uint32_t> communicators);

  /// Returns the finished Program; the builder is empty afterwards.
  Program build();

 private:
  struct Made {  // the memory behind a Program's tables
    std::vector<Strand> strands;
    std::vector<Operation> operations;
    std::vector<Channel> channels;
    std::vector<Wildcard> wildcards;
    std::vector<Communicator> communicators;
    std::vector<CollectiveArgs> collectives;
    std::vector<std::uint64_t> list_ends, list_bytes;
    std::vector<std::string> call_names;
    std::vector<EventLabel> event_labels;
    std::vector<std::uint32_t> request_slots;
    std::optional<Duration> traced_run_time;
  };
  struct Slot {
    std::uint64_t origin = 0;  // index of the isend, irecv or collective_start
    bool free = true;
  };
  void end_strand();
  Operation& emit(OpKind kind);
  std::uint32_t one_sided(OpKind kind, const Envelope& e, Bytes size);
  std::uint32_t channel_of(std::uint32_t source, std::uint32_t destination, const Envelope& e);
  std::uint32_t receive_detail(const Envelope& e);
  std::uint32_t take_slot(std::uint64_t origin);
  void make_wait(Operation& op, std::uint32_t slot) const;
  std::uint32_t intern(const CollectiveArgs& args);
  void grow_channel_index();

  Made made_;
  std::vector<std::uint32_t> channel_index_;  // open addressing; channel number + 1, 0 is empty
  std::map<CollectiveArgs, std::uint32_t> collective_index_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> list_index_;  // by hash
  std::vector<Slot> slots_;                                           // of the current rank
  std::vector<std::uint32_t> free_slots_;
  std::unordered_map<std::string, std::uint16_t> call_index_;
  std::uint16_t call_ = 0;
  bool first_of_call_ = false;
  bool reuse_slots_ = true;
};

}  // namespace busline
