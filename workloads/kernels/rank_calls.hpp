// The MPI calls of one rank in a kernel, so that the tables of operations read like the benchmarks they
// represent.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline {

/// Tags of kernels' messages.
inline constexpr std::int32_t kKernelTag = 1, kRequestTag = 2, kStopTag = 3;

/// Emits the operations of one rank. Sizes are the kernel's unless stated otherwise. Roles: in a pair `peer`
/// is the other rank; for a worker it is the master; in a collective `rank` is one of `ranks`, and the first
/// of them is the root.
class RankCalls {
 public:
  struct Place {
    std::uint32_t rank = 0, peer = 0;
    std::uint32_t communicator = 0;
    std::span<const std::uint32_t> ranks;  ///< all that take part
    Bytes size{0};
    std::uint64_t chunks = 1;
    std::uint32_t messages = 1;  ///< that the calls must emit themselves (KernelOperation::whole_sample)
  };
  /// Both arguments must outlive this; the strand of the rank has begun.
  RankCalls(ProgramBuilder& builder, const Place& place) : b_(builder), place_(place) {}

  const Place& place() const { return place_; }
  bool is_root() const { return place_.rank == place_.ranks.front(); }

  // Blocking messages with the peer.
  void send(SendMode mode = SendMode::standard);
  void send_acknowledgement();  ///< 0 bytes
  void recv();
  void recv_any_tag();
  void recv_acknowledgement();
  void irecv_and_wait();
  void isend_and_wait(SendMode mode = SendMode::standard);  ///< standard or synchronous
  void iprobe_and_recv();  ///< asks until the message is there, then receives it
  void sendrecv(bool replace = false);
  /// Posts the receive, starts the send, waits for both.
  void exchange();
  /// The same, and asks the peer to do likewise before it waits.
  void exchange_and_say_so();
  /// All messages of the sample at once, then one Waitall.
  void isend_window();
  void irecv_window();
  void exchange_window();

  // Calls of a master and its workers.
  void recv_request(std::string_view call = "MPI_Recv");  ///< from the rank that asks first
  void answer(SendMode mode = SendMode::standard);        ///< a piece of work, to the rank that asked
  void answer_without_waiting();
  void dismiss();  ///< to the rank that asked: no more work
  void ask();      ///< asks the master for a piece
  void recv_piece_or_dismissal();

  // Calls of all ranks that take part.
  void barrier() { collective(CollectiveKind::barrier, 0, 0); }
  void collective(CollectiveKind kind, std::uint64_t send_bytes, std::uint64_t recv_bytes);
  /// The same size is sent and received.
  void collective(CollectiveKind kind) { collective(kind, bytes(), bytes()); }
  /// Starts a non-blocking collective, works, and waits for it. The same size is sent and received.
  void overlap(CollectiveKind kind);
  /// Each rank's part to the root, one message each.
  void gather_by_messages(bool wait_for_all);
  /// The root's parts to the others, all at once.
  void scatter_by_messages();
  void alltoall_by_messages();
  /// From the root down a binary tree: place i of `ranks` sends to places 2i + 1 and 2i + 2.
  void bcast_by_messages();

  // Local.
  void local(std::string_view call) { copy(call, 0); }
  void copy(std::string_view call, std::uint64_t copied);
  /// As long as `chunks` pieces of fixed work take (kPieceOfWork each) at the speed of the traced machine.
  void work();

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(place_.size); }
  /// The rank's position in its Program, for loops.
  ProgramBuilder& builder() { return b_; }

 private:
  void call(std::string_view name) { b_.begin_call(b_.call_name(name)); }
  Envelope to(std::uint32_t peer, std::int32_t tag = kKernelTag) const {
    return {.peer = peer, .tag = tag, .communicator = place_.communicator};
  }
  Envelope with_peer(std::int32_t tag = kKernelTag) const { return to(place_.peer, tag); }
  std::size_t own_place() const;  // in `ranks`; cost: linear
  std::array<std::uint32_t, 2> begin_exchange();
  void wait_all(std::span<const std::uint32_t> slots);

  ProgramBuilder& b_;
  const Place& place_;
};

/// The time of a piece of fixed work on the machine to which CPU speeds are relative.
inline constexpr Duration kPieceOfWork = Duration::picoseconds(1'000'000'000);

}  // namespace busline
