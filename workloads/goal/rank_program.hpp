// The operations of a rank in a GOAL schedule, as strands of a Program.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/goal/place.hpp"
#include "workloads/goal/rank_graph.hpp"
#include "workloads/goal/read_goal.hpp"

namespace busline::goal {

/// Compiles rank after rank into a Program; keeps its memory between ranks.
///
/// A send or receive that the next node of its cpu requires is a blocking call; any other one is started, and
/// waited for before the first node that requires it, a receive at the latest at the end. A calc of 0 takes
/// no time: with messages that it requires it is a wait.
class RankProgram {
 public:
  RankProgram(ProgramBuilder& program, const GoalOptions& options);

  /// Adds the strands of a rank, after those of the ranks before it.
  Expected<void> add(const RankGraph& graph, const GoalPlaces& places);

  /// An operation that our order may hold back; nothing if there was none.
  const std::optional<Diagnostic>& held_back() const { return held_back_; }
  std::uint64_t other_nics() const { return other_nics_; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct WaitToFill {
    std::uint64_t position;
    std::uint32_t node;
  };

  Expected<void> check_nodes();
  Expected<void> sort();
  Expected<void> check_cpus();
  void find_required();
  bool requires_end(std::uint32_t node, std::uint32_t of) const;
  void add_strand(const std::vector<std::uint32_t>& nodes);
  void find_waits(std::uint32_t node);
  void wait_for_all();
  void add_message(std::uint32_t node, bool blocks);
  bool may_be_held_back(std::uint32_t node, std::uint32_t behind) const;

  ProgramBuilder& program_;
  const GoalOptions options_;
  const RankGraph* graph_ = nullptr;
  const GoalPlaces* places_ = nullptr;
  std::uint16_t send_, isend_, receive_, ireceive_, wait_, waitall_;  // names of calls

  std::vector<std::uint32_t> order_, of_cpu_;
  std::vector<bool> required_;               // whether a node waits for its end
  std::vector<std::uint32_t> slots_;         // by node: its request, kNone, or kWaited
  std::vector<std::uint32_t> awaited_on_;    // by node, with several cpus: another cpu that waits for it
  std::vector<std::uint32_t> waits_;         // of the current node: the nodes that it waits for
  std::vector<std::uint32_t> last_waits_;    // of the last node that waited
  std::vector<std::uint32_t> place_in_cpu_;  // by node: its place in its strand
  std::vector<WaitToFill> to_fill_;
  std::optional<Diagnostic> held_back_;
  std::uint64_t other_nics_ = 0;
};

}  // namespace busline::goal
