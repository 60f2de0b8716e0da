#include "measuring/standard_set/standard_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>

#include "workloads/kernels/operations.hpp"

namespace busline::measure {
namespace {

using Ranks = std::vector<std::uint32_t>;

// The ranks of each node, nodes in their order.
std::vector<Ranks> ranks_by_node(const Testbed& testbed) {
  std::vector<Ranks> nodes;
  for (std::uint32_t rank = 0; rank < testbed.ranks(); ++rank) {
    const auto node = testbed.placement()[rank].node;
    if (node >= nodes.size()) nodes.resize(node + 1);
    nodes[node].push_back(rank);
  }
  std::erase_if(nodes, [](const Ranks& r) { return r.empty(); });
  return nodes;
}

class SetBuilder {
 public:
  SetBuilder(const Testbed& testbed, const CalibrationOptions& options)
      : options_(options), nodes_(ranks_by_node(testbed)), everybody_(all_ranks(testbed)) {
    // The node with most ranks shows what ranks of a node share.
    full_ = *std::max_element(nodes_.begin(), nodes_.end(),
                              [](const Ranks& a, const Ranks& b) { return a.size() < b.size(); });
  }

  CalibrationSet build() {
    local();
    curves();
    sharing();
    collectives();
    return std::move(set_);
  }

 private:
  // For a time budget: messages and what they share say most about a machine.
  static constexpr double kShareOfMessages = 4;
  static constexpr std::uint64_t kMostThere = 64U << 10U;  // larger messages wait for their receive
  static constexpr std::uint32_t kStream = 16;  // messages that follow one another: the start is 1/16 of it

  SuitePlan plan(std::string name, std::string_view operation, Ranks ranks) const {
    SuitePlan p;
    p.name = std::move(name);
    p.kernel.operation = operation;
    p.kernel.ranks = std::move(ranks);
    p.repetition = options_.repetition;
    p.warmup = options_.warmup;
    p.resolution = options_.resolution;
    p.limits.max_steps = options_.max_steps;
    return p;
  }

  void over_bytes(SuitePlan& p, std::uint64_t largest) const {
    p.varies = Varies::bytes;
    p.range = {.scale = Scale::dynamic_log, .start = 0, .end = largest, .step = 2};
    p.limits.precision = 0.01;
  }

  static void over(SuitePlan& p, Varies varies, std::uint64_t from, std::uint64_t to) {
    p.varies = varies;
    // Up to 64 each one, beyond that about eight for each doubling.
    p.range = {.scale = to <= 64 ? Scale::fixed_linear : Scale::fixed_log, .start = from, .end = to};
    p.range.step = to <= 64 ? 1 : 1.09;
  }

  void leave_out(std::string suite, std::string needs) {
    set_.left_out.push_back({std::move(suite), std::move(needs)});
  }

  void local() {
    auto work = plan("work", "work", {0});
    work.pattern = Pattern::compute;
    work.time = TimeOf::call;
    work.varies = Varies::nothing;
    work.without_overhead = false;
    set_.suites.push_back(work);
    // How much equal pieces of work differ: the noise of a CPU. Many samples, all kept.
    auto noise = work;
    noise.name = "work-noise";
    noise.repetition.min_repetitions = std::min(1000U, std::max(options_.repetition.max_repetitions, 100U));
    noise.repetition.max_repetitions = noise.repetition.min_repetitions;
    set_.suites.push_back(noise);
    // Periodic codes on few ranks send a good part of their bytes to themselves.
    auto self = plan(std::string(kSendrecvSelf), kSendrecvSelf, {0});
    self.pattern = Pattern::local;
    self.time = TimeOf::call;
    over_bytes(self, options_.largest);
    set_.suites.push_back(std::move(self));
  }

  void curves() {
    const std::string needs_two_nodes = "ranks on two nodes", needs_two_ranks = "two ranks on one node";
    curves_between("inter",
                   nodes_.size() > 1 ? std::optional(Ranks{nodes_[0][0], nodes_[1][0]}) : std::nullopt,
                   needs_two_nodes);
    curves_between("intra", full_.size() > 1 ? std::optional(Ranks{full_[0], full_[1]}) : std::nullopt,
                   needs_two_ranks);
    late_exchange(needs_two_nodes);
    overlap(kOverlapAllreduce, 8, 2U << 20U, needs_two_nodes);
    overlap(kOverlapAlltoall, 64U << 10U, 1U << 20U, needs_two_nodes);
  }

  /// Whether anything moves while ranks compute: the rounds of an Allreduce, or an Alltoall's handshakes. Two
  /// ranks, so that there is a core for each.
  void overlap(std::string_view operation, std::uint64_t smallest, std::uint64_t largest,
               const std::string& needs) {
    if (nodes_.size() < 2) {
      leave_out(std::string(operation), needs);
      return;
    }
    auto p = plan(std::string(operation), operation, {nodes_[0][0], nodes_[1][0]});
    p.pattern = Pattern::collective;
    p.time = TimeOf::max_over_ranks;
    p.varies = Varies::bytes;
    p.without_overhead = false;
    const auto end = std::min(options_.largest, largest);
    p.range = {.scale = Scale::fixed_log, .start = std::min(smallest, end), .end = end, .step = 8};
    p.range.multiple_of = sizeof(double);
    set_.suites.push_back(std::move(p));
  }

  /// Whether a handshake waits for data shows in large messages both ways: they take twice as long.
  void late_exchange(const std::string& needs) {
    if (nodes_.size() < 2) {
      leave_out(std::string(kLateExchange), needs);
      return;
    }
    constexpr std::uint64_t kSmallest = 128U << 10U, kLargest = 1U << 20U;  // rendezvous, in usual libraries
    auto p = plan(std::string(kLateExchange), kLateExchange, {nodes_[0][0], nodes_[1][0]});
    p.pattern = Pattern::pingping;
    p.time = TimeOf::root;
    p.varies = Varies::bytes;
    const auto largest = std::min(options_.largest, kLargest);
    p.range = {.scale = Scale::fixed_log, .start = std::min(kSmallest, largest), .end = largest, .step = 2};
    set_.suites.push_back(std::move(p));
  }

  void curves_between(const std::string& where, const std::optional<Ranks>& pair, const std::string& needs) {
    struct Curve {
      std::string_view name, operation;
      Pattern pattern;
      TimeOf time;
      std::uint32_t messages;
    };
    static constexpr std::array<Curve, 5> kCurves{{
        {"pingpong", "MPI_Send-MPI_Recv", Pattern::pingpong, TimeOf::half_round_trip, 1},
        // What the sender's CPU is busy with, and the handshake's share of a message that must wait for one.
        {"send", "MPI_Send", Pattern::overhead, TimeOf::call, 1},
        {"ssend", "MPI_Ssend-MPI_Recv", Pattern::pingpong, TimeOf::half_round_trip, 1},
        {"bandwidth", "window", Pattern::bandwidth, TimeOf::one_way, kStream},
        // What the receiver's CPU is busy with. Ping-pongs hide it in waiting.
        {"recv", kLateReceive, Pattern::overhead, TimeOf::call, 1},
    }};
    for (const auto& c : kCurves) {
      const auto name = std::string(c.name) + "-" + where;
      if (!pair) {
        leave_out(name, needs);
        continue;
      }
      auto p = plan(name, c.operation, *pair);
      p.pattern = c.pattern;
      p.time = c.time;
      p.kernel.messages = c.messages;
      p.share = kShareOfMessages;
      over_bytes(p, c.operation == kLateReceive ? std::min(options_.largest, kMostThere) : options_.largest);
      set_.suites.push_back(std::move(p));
    }
  }

  void concurrent(std::string name, Pattern pattern, std::string_view operation, Ranks pairs) {
    auto p = plan(std::move(name), operation, std::move(pairs));
    p.pattern = pattern;
    p.time = TimeOf::max_over_ranks;
    p.kernel.bytes = options_.concurrent;
    p.kernel.messages = kStream;
    p.share = kShareOfMessages;
    // The last of many ranks is late by chance; each by itself is not.
    p.node_times = true;
    over(p, Varies::pairs, 1, p.kernel.ranks.size() / 2);
    set_.suites.push_back(std::move(p));
  }

  void sharing() {
    // L: messages out of one node, each to another node as long as there are some.
    if (nodes_.size() > 1 && nodes_[0].size() > 1) {
      Ranks flows;
      for (std::size_t i = 0; i < nodes_[0].size(); ++i) {
        const auto& other = nodes_[1 + i % (nodes_.size() - 1)];
        const auto turn = i / (nodes_.size() - 1);
        if (turn >= other.size()) break;
        flows.insert(flows.end(), {nodes_[0][i], other[turn]});
      }
      concurrent("flows-of-a-node", Pattern::node_flows, "window", std::move(flows));
    } else {
      leave_out("flows-of-a-node", "two nodes and two ranks on one of them");
    }
    // The same out of one rank, where nodes have but one, or only one core for MPI.
    if (nodes_.size() > 2) {
      Ranks one_and_others;
      constexpr std::size_t kMostOthers = 16;
      for (std::size_t i = 0; i < std::min(nodes_.size(), kMostOthers + 1); ++i)
        one_and_others.push_back(nodes_[i][0]);
      auto p = plan("flows-of-a-rank", "Scatter_ISWA", std::move(one_and_others));
      p.pattern = Pattern::node_flows;
      p.time = TimeOf::max_over_ranks;
      p.kernel.bytes = options_.concurrent;
      p.share = kShareOfMessages;
      p.node_times = true;
      over(p, Varies::ranks, 2, p.kernel.ranks.size());
      set_.suites.push_back(std::move(p));
    } else {
      leave_out("flows-of-a-rank", "three nodes");
    }
    // B: pairs of nodes, one rank on each, so that links are not shared. Both ways at once: twice the
    // messages.
    if (nodes_.size() > 3) {
      Ranks pairs;
      const auto half = nodes_.size() / 2;
      for (std::size_t i = 0; i < half; ++i) pairs.insert(pairs.end(), {nodes_[i][0], nodes_[half + i][0]});
      concurrent("pairs-of-nodes", Pattern::pairings, "exchange_window", std::move(pairs));
    } else {
      leave_out("pairs-of-nodes", "four nodes");
    }
    // Memory buses and links.
    if (full_.size() > 3) {
      auto pairs = full_;
      if (pairs.size() % 2 != 0) pairs.pop_back();
      concurrent("pairs-in-a-node", Pattern::pairings, "exchange_window", std::move(pairs));
    } else {
      leave_out("pairs-in-a-node", "four ranks on one node");
    }
  }

  void collectives() {
    if (everybody_.size() < 2) {
      leave_out("collectives", "two ranks");
      return;
    }
    static constexpr std::array<std::string_view, 12> kCalls{
        "MPI_Barrier", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Gather", "MPI_Scatter",
        "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce_scatter",
        // Libraries agree on a number for each new communicator, in several rounds.
        "MPI_Comm_dup", "MPI_Comm_split", "MPI_Cart_create"};
    for (const auto call : kCalls) {
      auto p = plan(std::string(call) + "-ranks", call, everybody_);
      p.pattern = Pattern::collective;
      p.time = TimeOf::max_over_ranks;
      // An empty one shows how well ranks start together, which is not part of a call.
      p.without_overhead = false;
      p.node_times = true;
      auto length = p;
      over(p, Varies::ranks, 2, everybody_.size());
      const bool has_data = find_operation(call)->buffers != BufferUse::none;
      if (has_data) p.kernel.bytes = 1024;
      set_.suites.push_back(std::move(p));
      if (!has_data) continue;
      length.name = std::string(call) + "-length";
      // What all ranks together hold stays within a few hundred megabytes.
      const auto share = (std::uint64_t{256} << 20U) / (everybody_.size() * everybody_.size());
      const auto most = std::clamp<std::uint64_t>(share, 1024, std::uint64_t{1} << 20U);
      over_bytes(length, std::min(options_.largest, std::bit_floor(most)));
      // Programs reduce numbers, and libraries choose by their count, too (measuring/mpi/executor.cpp).
      if (call.starts_with("MPI_Reduce") || call == "MPI_Allreduce")
        length.range.multiple_of = sizeof(double);
      set_.suites.push_back(std::move(length));
    }
  }

  const CalibrationOptions& options_;
  std::vector<Ranks> nodes_;
  Ranks everybody_, full_;
  CalibrationSet set_;
};

}  // namespace

CalibrationSet calibration_set(const Testbed& testbed, const CalibrationOptions& options) {
  return SetBuilder(testbed, options).build();
}

}  // namespace busline::measure
