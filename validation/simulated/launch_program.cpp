#include "validation/simulated/launch_program.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/program/program_builder.hpp"

namespace busline::ziatest {
namespace {

// What messages between launcher, daemons, file system and processes are about. The file system reads
// requests until kNever comes, which nobody sends.
enum Tag : std::int32_t { kStart, kBlock, kRead, kPages, kProcess, kAddress, kAddresses, kNever };

// For an image that is broadcast, so that daemons send it on while they receive it. Larger images have longer
// blocks.
constexpr std::uint64_t kBlockBytes = 1024 * 1024, kMostBlocks = 1024;

// A tree over the launcher and the nodes: node i is child of the launcher, or of node i / fan_out - 1.
class Tree {
 public:
  Tree(std::uint32_t nodes, Count fan_out)
      : nodes_(nodes), fan_out_(fan_out == kUnlimited ? nodes : fan_out), below_(nodes, 1) {
    for (auto i = nodes; i-- > 0;)
      if (const auto p = parent(i); p != kLauncher) below_[p] += below_[i];
  }
  static constexpr std::uint32_t kLauncher = UINT32_MAX;

  /// A node, or kLauncher.
  std::uint32_t parent(std::uint32_t node) const { return node < fan_out_ ? kLauncher : node / fan_out_ - 1; }
  struct Children {
    std::uint32_t first = 0, count = 0;
  };
  /// For a node or kLauncher.
  Children children(std::uint32_t node) const {
    const auto first = node == kLauncher ? 0 : (std::uint64_t{node} + 1) * fan_out_;
    if (first >= nodes_) return {};
    return {static_cast<std::uint32_t>(first),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(fan_out_, nodes_ - first))};
  }
  /// The node and all below it.
  std::uint32_t size(std::uint32_t node) const { return below_[node]; }

 private:
  std::uint32_t nodes_, fan_out_;
  std::vector<std::uint32_t> below_;
};

class LaunchBuilder {
 public:
  LaunchBuilder(const Launch& costs, const LaunchJob& job)
      : costs_(costs), job_(job), ranks_(job.exchange), tree_(ranks_.nodes, costs.fan_out), b_(ranks_.all()) {
    std::vector<std::uint32_t> members(ranks_.job);
    std::iota(members.begin(), members.end(), 0U);
    job_communicator_ = b_.add_communicator(std::move(members));
    members.resize(ranks_.nodes);
    std::iota(members.begin(), members.end(), ranks_.daemon(0));
    members.push_back(ranks_.file_system());
    files_communicator_ = b_.add_communicator(std::move(members));
  }

  Program build() {
    for (std::uint32_t rank = 0; rank < ranks_.job; ++rank) {
      b_.begin_strand(rank);
      process(rank);
    }
    for (std::uint32_t node = 0; node < ranks_.nodes; ++node) {
      b_.begin_strand(ranks_.daemon(node));
      daemon(node);
    }
    b_.begin_strand(ranks_.launcher());
    launcher();
    b_.begin_strand(ranks_.file_system());
    if (costs_.distribute == Launch::Distribute::shared_fs) file_system();
    return b_.build();
  }

 private:
  void launcher() {
    b_.elapse(costs_.launcher_start);
    start_children(Tree::kLauncher);
    if (costs_.distribute == Launch::Distribute::broadcast)
      for_blocks([&](Bytes block) { send_to_children(Tree::kLauncher, kBlock, block); });
    if (costs_.modex == Launch::Modex::none) return;
    gather_from_children(Tree::kLauncher);
    send_to_children(Tree::kLauncher, kAddresses, addresses(ranks_.job));
  }

  // A daemon sends on what it was told before it does its own part.
  void daemon(std::uint32_t node) {
    const auto parent = rank_of(tree_.parent(node));
    b_.recv({parent, kStart}, costs_.message);
    start_children(node);
    mark(Phase::start);
    fetch_image(node, parent);
    mark(Phase::image);
    b_.elapse(costs_.daemon_start);
    mark(Phase::daemon);
    spawn(node);
    if (costs_.modex == Launch::Modex::full) exchange_addresses(node, parent);
  }

  void process(std::uint32_t rank) {
    const auto daemon = ranks_.daemon(rank / job_.exchange.ranks_per_node);
    b_.recv({daemon, kProcess}, Bytes{0});
    mark(Phase::spawn);
    b_.begin_call(b_.call_name("MPI_Init"));
    b_.elapse(costs_.init_local);
    if (costs_.modex == Launch::Modex::full) {
      b_.send({daemon, kAddress}, addresses(1));
      b_.recv({daemon, kAddresses}, Bytes{0});
    }
    const bool lazy = costs_.connect == Launch::Connect::lazy;
    if (!lazy)
      b_.elapse(Duration::picoseconds(saturated_product(costs_.connection_setup.count(), ranks_.job - 1)));
    mark(Phase::init);
    ExchangeHooks hooks;
    if (lazy) hooks.meets_peer = [this] { b_.elapse(costs_.connection_setup); };
    hooks.stamps = [this] { mark(Phase::pair); };
    emit_exchange(b_, job_.exchange, rank, hooks, job_communicator_);
  }

  // One request after the other, in the order in which they come.
  void file_system() {
    const auto begin = b_.position();
    b_.recv({kAnySource, kRead, files_communicator_}, Bytes{0});
    b_.elapse(pages() / costs_.fs_bandwidth);
    b_.send_to_last_source({.tag = kPages, .communicator = files_communicator_}, pages());
    if (ranks_.nodes > 1) b_.repeat_until(begin, kNever, files_communicator_, ranks_.nodes - 1);
  }

  void fetch_image(std::uint32_t node, std::uint32_t parent) {
    switch (costs_.distribute) {
      case Launch::Distribute::shared_fs:
        b_.elapse(costs_.fs_open_latency);
        b_.send({ranks_.file_system(), kRead, files_communicator_}, Bytes{0});
        b_.recv({ranks_.file_system(), kPages, files_communicator_}, pages());
        return;
      case Launch::Distribute::broadcast:
        for_blocks([&](Bytes block) {
          b_.recv({parent, kBlock}, block);
          send_to_children(node, kBlock, block);
        });
        return;
      case Launch::Distribute::local:
        b_.elapse(costs_.fs_open_latency);
        b_.elapse(pages() / costs_.fs_bandwidth);
        return;
      case Launch::Distribute::cached:
        return;
    }
  }

  void spawn(std::uint32_t node) {
    const auto processes = job_.exchange.ranks_per_node;
    const auto at_once = costs_.spawn_parallelism == kUnlimited ? processes : costs_.spawn_parallelism;
    for (std::uint32_t i = 0; i < processes; ++i) {
      if (i % at_once == 0) b_.elapse(costs_.fork_exec);
      b_.send({node * processes + i, kProcess}, Bytes{0});
    }
  }

  // Processes of a node find the addresses of all in its memory, once they are there.
  void exchange_addresses(std::uint32_t node, std::uint32_t parent) {
    const auto processes = job_.exchange.ranks_per_node;
    for (std::uint32_t i = 0; i < processes; ++i) b_.recv({node * processes + i, kAddress}, addresses(1));
    gather_from_children(node);
    b_.send({parent, kAddress}, addresses(tree_.size(node) * processes));
    b_.recv({parent, kAddresses}, addresses(ranks_.job));
    send_to_children(node, kAddresses, addresses(ranks_.job));
    for (std::uint32_t i = 0; i < processes; ++i) b_.send({node * processes + i, kAddresses}, Bytes{0});
  }

  void start_children(std::uint32_t node) {
    for_children(node, [&](std::uint32_t child) {
      b_.elapse(costs_.per_child);
      b_.send({ranks_.daemon(child), kStart}, costs_.message);
    });
  }
  void send_to_children(std::uint32_t node, Tag tag, Bytes size) {
    for_children(node, [&](std::uint32_t child) { b_.send({ranks_.daemon(child), tag}, size); });
  }
  void gather_from_children(std::uint32_t node) {
    for_children(node, [&](std::uint32_t child) {
      b_.recv({ranks_.daemon(child), kAddress}, addresses(tree_.size(child) * job_.exchange.ranks_per_node));
    });
  }

  template <class Do>
  void for_children(std::uint32_t node, Do&& each) {
    const auto children = tree_.children(node);
    for (std::uint32_t i = 0; i < children.count; ++i) each(children.first + i);
  }
  template <class Do>
  void for_blocks(Do&& each) {
    const auto image = count(job_.image);
    const auto block = std::max(kBlockBytes, (image + kMostBlocks - 1) / kMostBlocks);
    for (std::uint64_t sent = 0; sent < image; sent += block) each(Bytes{std::min(block, image - sent)});
  }

  void mark(Phase phase) { b_.mark(static_cast<std::uint32_t>(phase)); }
  std::uint32_t rank_of(std::uint32_t node) const {
    return node == Tree::kLauncher ? ranks_.launcher() : ranks_.daemon(node);
  }
  Bytes addresses(std::uint32_t ranks) const { return Bytes{count(costs_.modex_bytes_per_rank) * ranks}; }
  // What is read of the image.
  Bytes pages() const {
    return Bytes{static_cast<std::uint64_t>(
        std::llround(costs_.page_fraction * static_cast<double>(count(job_.image))))};
  }

  const Launch& costs_;
  const LaunchJob& job_;
  LaunchRanks ranks_;
  Tree tree_;
  ProgramBuilder b_;
  std::uint32_t job_communicator_ = 0, files_communicator_ = 0;
};

}  // namespace

Program launch_program(const Launch& costs, const LaunchJob& job) {
  return LaunchBuilder(costs, job).build();
}

Platform launch_platform(const Platform& platform, const Exchange& exchange) {
  Platform p = platform;
  std::uint32_t nodes = 0;
  for (const auto& machine : p.machines)
    for (const auto& group : machine.nodes) nodes += group.count;

  auto& groups = p.machines.back().nodes;
  auto launcher = groups.back();
  launcher.count = 1;
  auto file_system = launcher;
  file_system.links = {};
  groups.push_back(std::move(launcher));
  groups.push_back(std::move(file_system));

  const LaunchRanks ranks(exchange);
  p.mapping.kind = Mapping::Kind::nodes;
  p.mapping.nodes.clear();
  p.mapping.nodes.reserve(ranks.all());
  for (std::uint32_t rank = 0; rank < ranks.job; ++rank)
    p.mapping.nodes.push_back(rank / exchange.ranks_per_node);
  for (std::uint32_t node = 0; node < ranks.nodes; ++node) p.mapping.nodes.push_back(node);
  p.mapping.nodes.push_back(nodes);
  p.mapping.nodes.push_back(nodes + 1);
  return p;
}

}  // namespace busline::ziatest
