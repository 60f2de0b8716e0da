#include "workloads/goal/write_goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "workloads/files/text_lines.hpp"
#include "workloads/goal/binary_layout.hpp"
#include "workloads/goal/place.hpp"
#include "workloads/goal/rank_nodes.hpp"

namespace busline {
namespace {

using goal::GoalNode;
using goal::NodeKind;
using goal::RankGraph;

constexpr std::size_t kGoalBuffer = 1U << 20;

class GoalTextWriter {
 public:
  explicit GoalTextWriter(ByteSink& sink) : out_(sink) {}

  void begin(std::uint32_t ranks) {
    out_.put("num_ranks ");
    put(ranks);
    out_.end_line();
  }

  void rank(std::uint32_t rank, const RankGraph& graph) {
    out_.end_line();
    out_.put("rank ");
    put(rank);
    out_.line(" {");
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      node(i, graph.nodes[i]);
      for (const auto d : graph.dependences(i))
        if (d.on() < i) edge(i, d);
    }
    // A label stands before it is used.
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      for (const auto d : graph.dependences(i))
        if (d.on() > i) edge(i, d);
    out_.line("}");
  }

  bool failed() const { return out_.failed(); }
  Expected<void> finish() { return out_.finish(); }

 private:
  void put(std::uint64_t n) { out_.number(static_cast<std::int64_t>(n)); }
  void label(std::uint32_t node) {
    out_.put('l');
    put(std::uint64_t{node} + 1);
  }
  void put_or_any(std::uint32_t n) {
    if (n == goal::kAny)
      out_.put("-1");
    else
      put(n);
  }

  void node(std::uint32_t number, const GoalNode& n) {
    label(number);
    if (n.kind == NodeKind::calc) {
      out_.put(": calc ");
      put(n.amount);
    } else {
      const bool sends = n.kind == NodeKind::send;
      out_.put(sends ? ": send " : ": recv ");
      put(n.amount);
      out_.put(sends ? "b to " : "b from ");
      put_or_any(n.peer);
      out_.put(" tag ");
      put_or_any(n.tag);
    }
    if (n.cpu != 0) {
      out_.put(" cpu ");
      put(n.cpu);
    }
    out_.end_line();
  }

  void edge(std::uint32_t node, goal::Dependence d) {
    label(node);
    out_.put(d.on_start() ? " irequires " : " requires ");
    label(d.on());
    out_.end_line();
  }

  TextLines out_;
};

/// What a rank takes in a binary file.
struct RankExtent {
  std::uint64_t nodes = 0, roots = 0, edges = 0;
  std::uint64_t bytes() const {
    return goal::kRankHeadBytes + 4 * roots + goal::kNodeBytes * nodes + 4 * edges;
  }
};

RankExtent extent_of(const RankGraph& graph) {
  RankExtent e{graph.size(), 0, graph.dependences().size()};
  for (std::uint32_t i = 0; i < graph.size(); ++i)
    if (graph.dependences(i).empty()) ++e.roots;
  return e;
}

class GoalBinaryWriter {
 public:
  explicit GoalBinaryWriter(ByteSink& sink) : sink_(sink) {}

  Expected<void> begin(const std::vector<RankExtent>& ranks, std::uint8_t greatest_cpu) {
    goal::store(bytes_, goal::kGoalMagic);
    goal::store(bytes_, static_cast<std::uint32_t>(ranks.size()));
    goal::store(bytes_, greatest_cpu);
    goal::store(bytes_, std::uint8_t{0});  // the greatest nic
    auto at = goal::kHeadBytes + goal::kJumpBytes * ranks.size();
    for (const auto& r : ranks) {
      goal::store(bytes_, std::uint64_t{at});
      at += r.bytes();
      goal::store(bytes_, std::uint64_t{at});
    }
    return flush();
  }

  Expected<void> rank(const RankGraph& graph) {
    find_dependents(graph);
    const auto extent = extent_of(graph);
    goal::store(bytes_, graph.size());
    goal::store(bytes_, static_cast<std::uint32_t>(extent.roots));
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      if (graph.dependences(i).empty()) goal::store(bytes_, i);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      const auto& n = graph.nodes[i];
      goal::store(bytes_, static_cast<std::uint32_t>(graph.dependences(i).size()));
      goal::store(bytes_, static_cast<std::uint8_t>(n.kind));
      goal::store(bytes_, n.peer);
      goal::store(bytes_, n.amount);
      goal::store(bytes_, n.tag);
      goal::store(bytes_, n.cpu);
      goal::store(bytes_, n.nic);
      for (std::size_t list = 2 * std::size_t{i}; list < 2 * std::size_t{i} + 2; ++list) {
        goal::store(bytes_, first_[list + 1] - first_[list]);
        goal::store(bytes_, first_[list]);
      }
      if (bytes_.size() >= kGoalBuffer)
        if (auto done = flush(); !done) return done;
    }
    for (const auto d : dependents_) {
      goal::store(bytes_, d);
      if (bytes_.size() >= kGoalBuffer)
        if (auto done = flush(); !done) return done;
    }
    return flush();
  }

 private:
  // Two lists for each node: those that depend on its end, and on its start.
  void find_dependents(const RankGraph& graph) {
    const auto list_of = [](goal::Dependence d) { return 2 * std::size_t{d.on()} + (d.on_start() ? 1 : 0); };
    first_.assign(2 * std::size_t{graph.size()} + 2, 0);
    for (const auto d : graph.dependences()) ++first_[list_of(d) + 2];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    dependents_.resize(graph.dependences().size());
    for (std::uint32_t i = 0; i < graph.size(); ++i)
      for (const auto d : graph.dependences(i)) dependents_[first_[list_of(d) + 1]++] = i;
  }

  Expected<void> flush() {
    auto written = sink_.write(bytes_);
    bytes_.clear();
    return written;
  }

  ByteSink& sink_;
  std::string bytes_;
  std::vector<std::uint32_t> first_, dependents_;
};

/// Calls `use` with each rank's graph; false if it was stopped.
template <class Use>
Expected<bool> for_each_rank(const Program& program, goal::RankNodes& nodes, const Use& use,
                             const std::function<bool(double)>& progress) {
  std::size_t strand = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    if (progress && !progress(double(rank) / program.ranks())) return false;
    const auto* const graph = nodes.build(rank, strand);
    if (graph == nullptr) return tl::unexpected(std::move(nodes.error()));
    if (auto used = use(rank, *graph); !used) return tl::unexpected(std::move(used.error()));
    while (strand < program.strands().size() && program.strands()[strand].rank == rank) ++strand;
  }
  return true;
}

Expected<bool> write_goal_text(const Program& program, goal::RankNodes& nodes, ByteSink& sink,
                               const std::function<bool(double)>& progress) {
  GoalTextWriter out(sink);
  out.begin(program.ranks());
  const auto use = [&](std::uint32_t rank, const RankGraph& graph) -> Expected<void> {
    out.rank(rank, graph);
    return out.failed() ? out.finish() : Expected<void>();
  };
  const auto done = for_each_rank(program, nodes, use, progress);
  if (!done || !*done) return done;
  if (auto finished = out.finish(); !finished) return tl::unexpected(std::move(finished.error()));
  return true;
}

Expected<bool> write_goal_binary(const Program& program, goal::RankNodes& nodes, ByteSink& sink,
                                 const std::function<bool(double)>& progress) {
  const auto half = [&](double from) {
    return progress
               ? std::function<bool(double)>([&, from](double share) { return progress(from + share / 2); })
               : std::function<bool(double)>();
  };
  std::vector<RankExtent> extents;
  std::uint8_t greatest_cpu = 0;
  const auto measure = [&](std::uint32_t, const RankGraph& graph) -> Expected<void> {
    extents.push_back(extent_of(graph));
    for (const auto& n : graph.nodes) greatest_cpu = std::max(greatest_cpu, n.cpu);
    return {};
  };
  if (const auto done = for_each_rank(program, nodes, measure, half(0)); !done || !*done) return done;
  nodes.recount();
  GoalBinaryWriter out(sink);
  if (auto begun = out.begin(extents, greatest_cpu); !begun) return tl::unexpected(std::move(begun.error()));
  return for_each_rank(
      program, nodes, [&](std::uint32_t, const RankGraph& graph) { return out.rank(graph); }, half(0.5));
}

}  // namespace

Expected<bool> write_goal(const Program& program, GoalForm form, const GoalOutput& options, ByteSink& sink,
                          Diagnostics& diagnostics, const std::function<bool(double)>& progress) {
  goal::RankNodes nodes(program, options);
  const auto done = form == GoalForm::text ? write_goal_text(program, nodes, sink, progress)
                                           : write_goal_binary(program, nodes, sink, progress);
  if (done && *done) nodes.changes().tell(diagnostics, options, nodes.has_other_communicators());
  return done;
}

}  // namespace busline
