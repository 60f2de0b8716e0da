// Collective algorithms as schedules of messages: for each rank and round, its targets, its sources, and the
// blocks of data. Nothing is stored: a round is computed when a rank reaches it, so a schedule takes no
// memory for any number of ranks. registry.hpp lists the algorithms.
#pragma once
#include <cstdint>
#include <vector>

namespace busline {

/// Blocks first, first + 1, ... of Site::blocks, cyclically. Blocks by operation:
/// - Gather, Scatter, Allgather, Reduce_scatter: block i belongs to the rank at position i;
/// - Bcast, Reduce, Allreduce, Scan: a part of the vector;
/// - Alltoall: block d of a rank goes to the rank d positions after it.
struct Blocks {
  std::uint32_t first = 0, count = 0;
  /// If not 0: the numbers among 1, 2, ... that have this bit, `count` in all (Bruck's Alltoall).
  std::uint32_t bit = 0;
  bool operator==(const Blocks&) const = default;
};

/// One end of a message.
struct Part {
  std::uint32_t peer = 0;  ///< position in the communicator
  Blocks blocks{};
  bool operator==(const Part&) const = default;
};

/// The concurrent part of a rank: it posts its receives, starts its sends, and waits for all of them.
struct Round {
  std::vector<Part> sends, receives;
  void clear() {
    sends.clear();
    receives.clear();
  }
  bool empty() const { return sends.empty() && receives.empty(); }
};

/// A rank's place in a collective.
struct Site {
  std::uint32_t ranks = 1, position = 0;
  std::uint32_t root = 0;    ///< a position; 0 for operations without a root
  std::uint32_t blocks = 1;  ///< from Schedule::blocks

  /// Position counted from the root.
  std::uint32_t relative() const { return position >= root ? position - root : position + ranks - root; }
  /// The position that is `relative` after the root.
  std::uint32_t absolute(std::uint32_t relative) const { return wrapped(root, relative); }
  /// The positions `distance` (at most `ranks`) after and before this one.
  std::uint32_t after(std::uint32_t distance) const { return wrapped(position, distance); }
  std::uint32_t before(std::uint32_t distance) const { return wrapped(position, ranks - distance); }
  Blocks all() const { return {0, blocks}; }

 private:
  std::uint32_t wrapped(std::uint32_t a, std::uint32_t b) const {
    const auto sum = std::uint64_t{a} + b;
    return static_cast<std::uint32_t>(sum >= ranks ? sum - ranks : sum);
  }
};

/// Some rounds of all ranks. A rank may be idle in a round.
struct SchedulePhase {
  std::uint32_t (*rounds)(const Site&) = nullptr;
  /// Adds the rank's part in round `index` < rounds(site).
  void (*add)(const Site&, std::uint32_t index, Round&) = nullptr;
};

}  // namespace busline
