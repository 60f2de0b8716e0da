// The operations of one rank in a GOAL schedule and their dependences, as text and binary files hold them
// (docs/reference/goal.md).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace busline::goal {

inline constexpr std::uint32_t kAny = 0xffff'ffff;  ///< GoalNode::peer or tag of a receive: any

enum class NodeKind : std::uint8_t { send = 1, receive = 2, calc = 3 };  // as binary files number them

struct GoalNode {
  std::uint64_t amount = 0;  ///< bytes; of a calc: units of time
  std::uint32_t peer = 0, tag = 0;
  NodeKind kind = NodeKind::calc;
  std::uint8_t cpu = 0, nic = 0;

  bool is_message() const { return kind != NodeKind::calc; }
};

/// A dependence of a node on another one: on its end (requires), or on its start (irequires).
class Dependence {
 public:
  Dependence() = default;
  Dependence(std::uint32_t on, bool on_start) : bits_(on_start ? on | kOnStart : on) {}
  std::uint32_t on() const { return bits_ & ~kOnStart; }
  bool on_start() const { return (bits_ & kOnStart) != 0; }
  bool on_end() const { return !on_start(); }

 private:
  static constexpr std::uint32_t kOnStart = 0x8000'0000;
  std::uint32_t bits_ = 0;
};
inline constexpr std::uint32_t kMostNodes = 0x7fff'ffff;  // of a rank

/// Nodes are numbered from 0 in the order of their lines. Takes some 32 bytes for each node and 4 for each
/// dependence; a graph that is used again keeps its memory.
class RankGraph {
 public:
  std::vector<GoalNode> nodes;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
  std::span<const Dependence> dependences(std::uint32_t node) const {
    return std::span(all_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  std::span<const Dependence> dependences() const { return all_; }

  void clear();

  // To build one from edges in any order: depend() for each, then arrange().
  void depend(std::uint32_t node, Dependence on) { edges_.push_back({node, on}); }
  /// Sorts the dependences: by node, then by the node that it depends on.
  void arrange();

  // To build one from edges in the order of the nodes that others depend on, as binary files have them:
  // begin_edges() with the number of dependences of each node, then add_edge() for each.
  /// False if the counts do not add up to `edges`.
  bool begin_edges(std::span<const std::uint32_t> counts, std::uint64_t edges);
  /// False if the node has more than it was said to have.
  bool add_edge(std::uint32_t node, Dependence on) {
    auto& at = first_[node + 1];
    if (at >= all_.size()) return false;
    all_[at++] = on;
    return true;
  }
  /// Whether each node has as many as it was said to have.
  bool end_edges(std::span<const std::uint32_t> counts);

 private:
  struct Edge {
    std::uint32_t node;
    Dependence on;
  };
  std::vector<std::uint64_t> first_{0};
  std::vector<Dependence> all_;
  std::vector<Edge> edges_;
};

}  // namespace busline::goal
