// Determines which collectives of a Program run as algorithms, and the facts that every member needs before
// the others have called: the root, and the sizes of all members.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "sim/algorithms/block_sizes.hpp"
#include "sim/algorithms/registry.hpp"
#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// One collective that all members of its communicator call.
struct PlannedCollective {
  const Schedule* schedule = nullptr;  ///< null: a closed form
  std::uint32_t root = 0;              ///< position in the communicator
  std::uint32_t sizes = 0;             ///< for CollectivePlan::sizes
  std::uint32_t blocks = 1;            ///< Site::blocks

  Site site(std::uint32_t ranks, std::uint32_t position) const { return {ranks, position, root, blocks}; }
};

class CollectivePlan {
 public:
  /// The algorithm that a platform names for an operation on a communicator with this many bytes, as defined
  /// for the closed forms, that blocks or not; null: a closed form.
  using Choose = std::function<const Schedule*(CollectiveKind, CommunicatorId communicator,
                                               std::uint64_t bytes, bool nonblocking)>;

  /// An empty plan.
  CollectivePlan() = default;
  /// Matches call n of all members of a communicator. Collectives keep their closed form where the calls do
  /// not match, where two threads of a rank call, and in a Program that repeats collectives (OpKind::repeat).
  /// `program` must outlive the plan. Cost: linear in the operations, and memory grows with the number of
  /// collectives, not with that of calls.
  CollectivePlan(const Program& program, const Choose& choose);

  bool empty() const { return planned_.empty(); }
  /// Index of the communicator's collective `number`, from 0; less than collectives().
  std::uint32_t index(CommunicatorId communicator, std::uint32_t number) const {
    return first_[communicator] + number;
  }
  std::size_t collectives() const { return planned_.size(); }
  const PlannedCollective& operator[](std::uint32_t index) const { return planned_[index]; }
  const BlockSizes& sizes(const PlannedCollective& c) const { return sizes_[c.sizes]; }
  /// The position of a member. Logarithmic in the number of members unless they are all ranks in order.
  std::uint32_t position(CommunicatorId communicator, RankId rank) const;

 private:
  struct Member {
    RankId rank;
    std::uint32_t position;
  };
  struct Gathered;  // the calls of one collective
  class Gatherer;

  void find_positions(const Program& program);
  PlannedCollective plan(const Gathered& g, CommunicatorId communicator, std::uint32_t ranks,
                         const BlockLists& lists, const Choose& choose);
  static BlockSizes sizes_of(const Gathered& g, const BlockLists& lists);
  std::uint32_t intern(BlockSizes sizes);

  IdVector<CommunicatorId, std::uint32_t> first_;
  std::vector<PlannedCollective> planned_;
  std::vector<BlockSizes> sizes_;
  std::map<BlockSizes, std::uint32_t> known_sizes_;          // while the plan is made
  IdVector<CommunicatorId, std::vector<Member>> positions_;  // ascending by rank; empty if all in order
};

}  // namespace busline
