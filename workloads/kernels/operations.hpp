// The registry of operations that kernels can measure: SKaMPI's and those of LinkTest and calibration. To add
// one, add an entry to the table of its pattern (docs/reference/kernels.md, "A new operation").
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "workloads/kernels/rank_calls.hpp"

namespace busline {

/// The operation that shows what a message to oneself costs.
inline constexpr std::string_view kSendrecvSelf = "sendrecv-self";
/// The operation that shows what a receive costs whose message is there.
inline constexpr std::string_view kLateReceive = "late-receive";
/// The operation that shows whether handshakes wait for data (docs/decisions/083).
inline constexpr std::string_view kLateExchange = "late-exchange";
/// The operations that show whether a non-blocking collective, or a handshake, moves while its ranks compute
/// (docs/decisions/094).
inline constexpr std::string_view kOverlapAllreduce = "overlap-iallreduce",
                                  kOverlapAlltoall = "overlap-ialltoall";

/// How ranks work together in a kernel.
enum class KernelPattern : std::uint8_t {
  pairs,          ///< pairs of ranks, all at once
  master_worker,  ///< one rank hands out pieces to whichever rank asks
  collective,     ///< all call the same
  simple,         ///< one rank alone
};

/// The buffers that an operation needs: they limit the size of a message (KernelOperation::most_bytes).
enum class BufferUse : std::uint8_t {
  none,       ///< no data
  message,    ///< the message
  both,       ///< one to send from and one to receive into
  parts,      ///< a part from each rank at the root, and the rank's own
  all_parts,  ///< a part for each rank and from each rank
  attached,   ///< the message and room for it in MPI's own buffer
};

/// An entry of the registry. The pattern determines which calls are set; each call must depend only on its
/// argument.
struct KernelOperation {
  using Calls = void (*)(RankCalls&);

  std::string_view name;         ///< "MPI_Send-MPI_Recv": its name in parameter files and measurements
  std::uint32_t type = 0;        ///< SKaMPI's number; 0: none
  std::string_view skampi5;      ///< its name in SKaMPI 5, if it has one
  std::string_view description;  ///< what is timed, in a few words
  BufferUse buffers = BufferUse::message;
  KernelPattern pattern = KernelPattern::pairs;
  Calls first = nullptr;  ///< of a pair: the side that is timed; of a master: serves a piece; of others: all
  Calls second =
      nullptr;  ///< of a pair: the other side, which may be the same; of a worker: asks for a piece
  /// Whether the calls emit all messages of a sample at once, not a single one.
  bool whole_sample = false;
  /// What each side of a pair does for each message before a sample begins: nothing, or both have calls.
  Calls before_first = nullptr, before_second = nullptr;

  /// Emits what `messages` of them need before the sample, on one side.
  void prepare(RankCalls& calls, bool is_first, std::uint32_t messages) const;
  /// Emits `messages` of them on one side, `first` or second. `place` is the one that `calls` was made with.
  void emit(RankCalls& calls, RankCalls::Place& place, bool is_first, std::uint32_t messages) const;
  /// The largest Kernel::bytes that `memory` bytes for buffers allow (SKaMPI's Max_Value).
  std::uint64_t most_bytes(std::uint64_t memory, std::uint32_t ranks) const;
};

/// All operations, by pattern and then as in their tables. Names are unique, and so are numbers other than 0.
std::span<const KernelOperation> kernel_operations();
/// nullptr: unknown.
const KernelOperation* find_operation(std::string_view name);
const KernelOperation* find_operation(std::uint32_t type);
const KernelOperation* find_skampi5_operation(std::string_view name);
/// The entry that does the same without the measured operation; its time is the overhead of a measurement.
const KernelOperation& empty_operation(KernelPattern pattern);

// The tables, one for each pattern.
std::vector<KernelOperation> pair_operations();
std::vector<KernelOperation> master_worker_operations();
std::vector<KernelOperation> collective_operations();
std::vector<KernelOperation> simple_operations();

}  // namespace busline
