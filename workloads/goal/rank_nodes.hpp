// The operations of a rank of a Program as nodes of a GOAL schedule.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/algorithms/collective_plan.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/goal/message_tags.hpp"
#include "workloads/goal/rank_graph.hpp"
#include "workloads/goal/write_goal.hpp"

namespace busline::goal {

/// Where the schedule differs from the Program, counted.
struct GoalChanges {
  std::uint64_t empty = 0;    ///< messages of 0 bytes, written with 1
  std::uint64_t modes = 0;    ///< Ssend and Bsend, written as Send
  std::uint64_t rounded = 0;  ///< bursts that are not whole units
  std::uint64_t collectives = 0;
  std::uint64_t nonblocking = 0;  ///< collectives, which go on in their waits
  std::uint64_t ends = 0;         ///< MPI_Init and MPI_Finalize, which synchronise all ranks
  std::uint64_t left_out = 0;     ///< events, time marks, local calls, probes

  void tell(Diagnostics& diagnostics, const GoalOutput& options, bool other_communicators) const;
};

class RankNodes {
 public:
  /// `program` must outlive it.
  RankNodes(const Program& program, const GoalOutput& options);

  /// The graph of a rank, whose strands are those from `strand` on that have its number; null, with error()
  /// set, if the schedule cannot say it. It is valid until the next call.
  const RankGraph* build(std::uint32_t rank, std::size_t strand);
  Error& error() { return error_; }
  const GoalChanges& changes() const { return changes_; }
  /// Forgets what was counted, for a second pass.
  void recount() { changes_ = {}; }
  bool has_other_communicators() const { return tags_.has_other_communicators(); }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Calls {  // collectives on a communicator so far, of a strand
    std::uint32_t communicator = 0, calls = 0;
  };
  struct Open {  // a non-blocking collective
    std::uint32_t planned = 0, position = 0, communicator = 0, round = 0;
    std::vector<std::uint32_t> parts;  // nodes of its last round
  };
  struct LateWait {  // for a request of a later strand
    std::uint32_t node = 0, request = 0;
  };

  bool build_strand(const Strand& strand, std::uint8_t cpu);
  bool put(const Operation& op);
  void put_compute(const Operation& op);
  bool put_message(const Operation& op);
  void put_wait(std::uint32_t request);
  bool put_collective(const Operation& op);
  bool put_collective_wait(std::uint32_t request);
  bool go_on(Open& collective, bool only_one_round);
  void end_strand();

  std::uint32_t add(GoalNode node, bool is_open);
  void close();
  std::uint32_t begin_wait();
  std::optional<std::uint32_t> tag_of(const Operation& op);
  bool refuse(std::string message);

  const Program& program_;
  const GoalOutput options_;
  const CollectivePlan plan_;
  MessageTags tags_;
  RankGraph graph_;
  GoalChanges changes_;
  Error error_;

  std::uint64_t at_ = 0;  // of the current operation
  const Strand* strand_ = nullptr;
  std::uint8_t cpu_ = 0;
  std::uint32_t previous_ = kNone;  // node of the strand
  bool is_open_ = false;            // whether it is a message whose end is not waited for there
  std::uint32_t waiting_ = kNone;   // the node of the last waits, if nothing has come since
  std::uint32_t last_waited_ = 0;   // the last that it waits for
  std::int64_t rest_ = 0;           // ps that rounding left over
  std::vector<Calls> calls_;
  std::vector<std::uint32_t> node_of_request_;
  std::vector<LateWait> late_;
  std::map<std::uint32_t, Open> open_;  // by request
  Round round_;
};

}  // namespace busline::goal
