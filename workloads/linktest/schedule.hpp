// The partner of each rank of LinkTest in each step (docs/reference/linktest.md, "The schedule").
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/linktest/rank_order.hpp"

namespace busline::linktest {

/// Two ranks that measure with each other; `first` initiates first.
struct Pair {
  std::uint32_t first = 0, second = 0;
  bool operator==(const Pair&) const = default;
};

/// The pairs that a run measures.
enum class Scope : std::uint8_t {
  all_pairs,  ///< every rank with every other
  bisection,  ///< every rank of the first half of the order with every rank of the second half
};

/// A plan in which every pair of the scope meets exactly once and no rank is in two pairs of a step. Nothing
/// is stored per pair; each answer follows from the position of a rank in the order.
///
/// All pairs: the circle method, as LinkTest 1.2 does it. The first rank of the order stays, the others move
/// by one place each step: N - 1 steps. With an odd number of ranks a fictitious rank takes part, and its
/// partner pauses: N steps. (LinkTest rejects odd numbers.) Bisection: N/2 steps, N odd: (N+1)/2; the i-th
/// rank of the first half meets the (i + s)-th of the second in step s. LinkTest 2 does not document which
/// pairs each step has.
class Schedule {
 public:
  /// `order` holds each rank from 0 to its size - 1 once.
  explicit Schedule(RankOrder order, Scope scope = Scope::all_pairs);
  /// All pairs, but in each step whole nodes meet, or all ranks stay within their nodes: nothing but the
  /// pairs of the same two nodes share a link, and each node has as many as any other. `order` holds the
  /// ranks node by node, `per_node` (at least 1, a divisor of the number of ranks) of each. Nodes, and the
  /// ranks of a node, meet by the circle method; in each meeting of two nodes the second one moves on by one
  /// rank, `per_node` times.
  static Schedule of_nodes(RankOrder order, std::uint32_t per_node);
  /// Shuffles the steps: the same seed gives the same order on every machine.
  void shuffle_steps(std::uint64_t seed);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(order_.size()); }
  std::uint32_t steps() const { return static_cast<std::uint32_t>(rounds_.size()); }
  Scope scope() const { return scope_; }
  const RankOrder& order() const { return order_; }

  /// All pairs of step 0 to steps() - 1.
  std::vector<Pair> pairs(std::uint32_t step) const;

  /// What a rank does in a step.
  struct Turn {
    std::uint32_t partner = 0;
    bool first = false;  ///< whether it initiates first
  };
  /// Nothing if the rank pauses.
  std::optional<Turn> turn(std::uint32_t rank, std::uint32_t step) const;

  /// The measurements of a step one at a time, as the serial mode makes them: by ascending rank of `first`,
  /// which initiates. Each pair occurs twice, once in each direction.
  std::vector<Pair> serial(std::uint32_t step) const;

 private:
  // Positions in the order instead of ranks. A partner that is not below ranks() does not exist.
  struct Meeting {
    std::uint32_t partner;
    bool first;
  };
  // By reference, so that a caller may name it twice: arguments are evaluated in any order.
  Schedule(RankOrder&& order, Scope scope, std::uint32_t per_node, std::uint32_t steps);
  Meeting meeting(std::uint32_t position, std::uint32_t round) const;
  Meeting by_node(std::uint32_t position, std::uint32_t round) const;
  Meeting across(std::uint32_t position, std::uint32_t round) const;

  RankOrder order_;
  Scope scope_;
  std::uint32_t per_node_ = 1;           // 1: the circle of all ranks
  std::vector<std::uint32_t> position_;  // by rank
  std::vector<std::uint32_t> rounds_;    // by step: how far the circle has turned
};

}  // namespace busline::linktest
