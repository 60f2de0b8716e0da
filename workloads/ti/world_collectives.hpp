// What only all ranks together know about a Program's collectives: who the root is, and each one's part.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program/program.hpp"

namespace busline::ti {

/// Of the blocking collectives on communicators of all ranks, in their order.
class WorldCollectives {
 public:
  /// Goes over all operations.
  explicit WorldCollectives(const Program& program);

  /// Of the n-th that moves data or is a barrier, from 0; 0 if nobody says to be it.
  std::uint32_t root(std::uint64_t n) const { return all_[n].root; }
  /// Bytes by rank, where each has its own; for operations whose name ends in v or w.
  const std::vector<std::uint64_t>& parts(std::uint64_t n) const { return all_[n].parts; }

  /// Whether it holds all ranks in their order, as communicator 0 does.
  bool has_all(std::uint32_t communicator) const { return has_all_[communicator]; }
  /// Whether they count: Init and Finalize do not.
  static bool counts(const CollectiveArgs& args) {
    return args.kind != CollectiveKind::init && args.kind != CollectiveKind::finalize;
  }

 private:
  struct Met {
    std::uint32_t root = 0;
    std::vector<std::uint64_t> parts;
  };
  std::vector<Met> all_;
  std::vector<bool> has_all_;  // by communicator
};

}  // namespace busline::ti
