// A run without contention as a graph: each node is a point in time, the later of two others plus the spans
// in between. Evaluating it takes one pass over arrays, for any setting between two machines.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/curve/line.hpp"

namespace busline {

/// Nodes are numbered in the order in which they are added, from kStart, which is time 0.
class MaxPlusGraph {
 public:
  static constexpr std::uint32_t kStart = 0;

  /// A point in time: a node plus `after`.
  struct Point {
    std::uint32_t node = kStart;
    Line after;
  };

  /// The later of the two at every position from 0 to 1. Adds a node unless one is clearly never the later:
  /// both depend on the same node.
  Point later(const Point& a, const Point& b);
  /// Number of nodes except kStart.
  std::size_t nodes() const { return joins_.size(); }
  std::size_t bytes() const;

  /// Which of two equally late points to follow.
  enum class Tie { steep, flat };
  /// The line of `end` at `t` in [0, 1]: its value there and its continuation, to the right with Tie::steep,
  /// to the left with Tie::flat. Cost: linear in the nodes, reading 40 bytes for each.
  Line evaluate(const Point& end, double t, Tie tie) const;

 private:
  struct Join {  // 40 bytes: evaluation is bound by reading these
    std::uint32_t first, second;
    Line after_first, after_second;
  };
  std::vector<Join> joins_;            // of node i + 1
  mutable std::vector<Line> lines_{};  // kept for its capacity
};

}  // namespace busline
