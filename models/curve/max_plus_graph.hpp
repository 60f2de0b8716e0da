// A run without contention as a graph: each node is a point in time, the later of two others plus what comes
// between. Evaluating it is one pass over arrays, for any setting on the way between two machines.
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

  /// A point in time: `after` later than a node.
  struct Point {
    std::uint32_t node = kStart;
    Line after;
  };

  /// The later of the two, wherever on the way from 0 to 1 one asks. Adds a node unless one is never the
  /// later one for a plain reason: both hang on the same node.
  Point later(const Point& a, const Point& b);
  /// Nodes besides kStart.
  std::size_t nodes() const { return joins_.size(); }
  std::size_t bytes() const;

  /// Which of two equally late points is followed.
  enum class Tie { steep, flat };
  /// The line that gives `end` at `t` in [0, 1]: its value and how it goes on from there, to the right with
  /// Tie::steep, to the left with Tie::flat. Cost: linear in the nodes, 40 bytes read for each.
  Line evaluate(const Point& end, double t, Tie tie) const;

 private:
  struct Join {  // 40 bytes: evaluating is reading these
    std::uint32_t first, second;
    Line after_first, after_second;
  };
  std::vector<Join> joins_;            // of node i + 1
  mutable std::vector<Line> lines_{};  // kept for its capacity
};

}  // namespace busline
