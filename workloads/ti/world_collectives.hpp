// Facts about a Program's collectives that only all ranks together hold: the root, and the part of each rank.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/program/program.hpp"

namespace busline::ti {

/// The blocking collectives on communicators of all ranks, in their order.
class WorldCollectives {
 public:
  /// Cost: one pass over all operations.
  explicit WorldCollectives(const Program& program);

  /// The root of collective n (from 0) of those that move data or are a barrier; 0 if no rank is marked as
  /// the root.
  std::uint32_t root(std::uint64_t n) const { return all_[n].root; }
  /// Bytes by rank; for operations whose name ends in v or w.
  const std::vector<std::uint64_t>& parts(std::uint64_t n) const { return all_[n].parts; }
  /// For these the numbers of their block lists (CollectiveArgs), by rank; empty if no rank has one.
  const std::vector<std::uint32_t>& lists(std::uint64_t n) const { return all_[n].lists; }

  /// Whether it holds all ranks in their order, as communicator 0 does.
  bool has_all(std::uint32_t communicator) const { return has_all_[communicator]; }
  /// Whether a collective counts: Init and Finalize do not.
  static bool counts(const CollectiveArgs& args) {
    return args.kind != CollectiveKind::init && args.kind != CollectiveKind::finalize;
  }

 private:
  struct Met {
    std::uint32_t root = 0;
    std::vector<std::uint64_t> parts;
    std::vector<std::uint32_t> lists;
  };
  std::vector<Met> all_;
  std::vector<bool> has_all_;  // by communicator
};

}  // namespace busline::ti
