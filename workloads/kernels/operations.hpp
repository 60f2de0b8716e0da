// The registry of what kernels can measure: SKaMPI's operations and what LinkTest and calibration need. A new
// one is an entry in the table of its pattern (docs/reference/kernels.md, "A new operation").
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "workloads/kernels/rank_calls.hpp"

namespace busline {

/// How ranks work together in a kernel.
enum class KernelPattern : std::uint8_t {
  pairs,          ///< pairs of ranks, all at once
  master_worker,  ///< one rank hands out pieces to whoever asks
  collective,     ///< all call the same
  simple,         ///< one rank alone
};

/// What an operation needs buffers for: it decides how large a message can be (KernelOperation::most_bytes).
enum class BufferUse : std::uint8_t {
  none,       ///< no data
  message,    ///< the message
  both,       ///< one to send from and one to receive into
  parts,      ///< a part of each rank at the root, and one's own
  all_parts,  ///< a part for each rank and from each rank
  attached,   ///< the message and room for it in MPI's own buffer
};

/// An entry of the registry. Which calls are set depends on the pattern; what is called must not depend on
/// anything but its argument.
struct KernelOperation {
  using Calls = void (*)(RankCalls&);

  std::string_view name;         ///< "MPI_Send-MPI_Recv": what parameter files and measurements call it
  std::uint32_t type = 0;        ///< SKaMPI's number; 0: it has none
  std::string_view skampi5;      ///< its name in SKaMPI 5, if it has one
  std::string_view description;  ///< what is timed, in a few words
  BufferUse buffers = BufferUse::message;
  KernelPattern pattern = KernelPattern::pairs;
  Calls first = nullptr;  ///< of a pair: the side that is timed; of a master: serves a piece; of others: all
  Calls second =
      nullptr;  ///< of a pair: the other side, which may be the same; of a worker: asks for a piece
  /// Whether the calls do all messages of a sample themselves, instead of one of them.
  bool whole_sample = false;

  /// Emits `messages` of them on one side, `first` or second. `place` is what `calls` was made of.
  void emit(RankCalls& calls, RankCalls::Place& place, bool is_first, std::uint32_t messages) const;
  /// The largest Kernel::bytes that `memory` bytes for buffers allow (SKaMPI's Max_Value).
  std::uint64_t most_bytes(std::uint64_t memory, std::uint32_t ranks) const;
};

/// All, by pattern and then as in their tables. The names are unique, and the numbers but 0.
std::span<const KernelOperation> kernel_operations();
/// nullptr: there is none.
const KernelOperation* find_operation(std::string_view name);
const KernelOperation* find_operation(std::uint32_t type);
const KernelOperation* find_skampi5_operation(std::string_view name);
/// The entry that does the same but for what is measured; its time is the overhead of a measurement.
const KernelOperation& empty_operation(KernelPattern pattern);

// The tables, one for each pattern.
std::vector<KernelOperation> pair_operations();
std::vector<KernelOperation> master_worker_operations();
std::vector<KernelOperation> collective_operations();
std::vector<KernelOperation> simple_operations();

}  // namespace busline
