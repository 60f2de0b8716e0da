// The windows of one rank and the transfers pending in them: one-sided transfers move when their epoch ends
// (docs/reference/dumpi.md, "One-sided communication").
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "sim/base/units.hpp"
#include "workloads/dumpi/compile/communicators.hpp"

namespace busline::dumpi {

/// An MPI_Put, MPI_Get or MPI_Accumulate whose epoch has not ended.
struct Transfer {
  std::uint32_t target = 0;  ///< rank of the job
  bool get = false;
  Bytes bytes{};
};

/// The group of an MPI_Win_post or MPI_Win_start, as ranks of the job.
struct EpochGroup {
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  std::uint32_t group = kNone;  ///< index into CommunicatorLog::groups()
  std::vector<std::uint32_t> ranks;
};

struct Window {
  CommunicatorView communicator;
  std::uint32_t number = 0;                               ///< from 0, of those made on its communicator
  std::vector<Transfer> open;                             ///< until the next fence or MPI_Win_complete
  std::map<std::uint32_t, std::vector<Transfer>> locked;  ///< by target, until its MPI_Win_unlock
  EpochGroup posted, started;                             ///< kept from epoch to epoch

  /// Other operations that move bytes or synchronise in a window have separate tags, the same on all ranks,
  /// which no program uses: tags below MPI_ANY_TAG.
  enum class Purpose : std::int32_t { transfer, post, complete };
  std::int32_t tag(Purpose p) const {
    constexpr std::int32_t kFirst = -2, kPurposes = 3, kWindows = 1 << 29;
    return kFirst - kPurposes * static_cast<std::int32_t>(number % kWindows) - static_cast<std::int32_t>(p);
  }
};

/// By the ids of the trace, which are local to the rank and recycled.
class WindowTable {
 public:
  /// MPI_Win_create: the next window of this communicator; its id no longer names any other.
  void create(std::int64_t id, CommunicatorView communicator) {
    windows_[id] = Window{communicator, made_[communicator.communicator]++, {}, {}, {}, {}};
  }
  void free(std::int64_t id) { windows_.erase(id); }
  /// nullptr if no recorded call made it.
  Window* find(std::int64_t id) {
    const auto at = windows_.find(id);
    return at == windows_.end() ? nullptr : &at->second;
  }
  /// Those that were not freed, by id.
  std::map<std::int64_t, Window>& all() { return windows_; }

 private:
  std::map<std::int64_t, Window> windows_;
  std::map<std::uint32_t, std::uint32_t> made_;  // windows so far, by communicator
};

}  // namespace busline::dumpi
