#include "platforms/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

tl::unexpected<Error> refuse_mapping(std::string message, std::string hint = {}) {
  return refuse_option("/mapping", std::move(message), std::move(hint));
}

// Dimemas, task.c: ranks beyond the number of CPUs go to the last node.
IdVector<RankId, NodeId> fill(const IdVector<NodeId, Machine::Node>& nodes, std::uint32_t ranks) {
  IdVector<RankId, NodeId> placed;
  placed.reserve(ranks);
  for (const auto node : nodes.ids())
    placed.insert(placed.end(), std::min<std::size_t>(nodes[node].cpus, ranks - placed.size()), node);
  placed.resize(ranks, NodeId{static_cast<std::uint32_t>(nodes.size() - 1)});
  return placed;
}

Expected<IdVector<RankId, NodeId>> place(const Mapping& mapping, const IdVector<NodeId, Machine::Node>& nodes,
                                         std::uint32_t ranks) {
  IdVector<RankId, NodeId> placed(ranks);
  switch (mapping.kind) {
    case Mapping::Kind::fill:
      return fill(nodes, ranks);
    case Mapping::Kind::round_robin:
      for (const auto r : placed.ids()) placed[r] = NodeId{static_cast<std::uint32_t>(raw(r) % nodes.size())};
      return placed;
    case Mapping::Kind::per_node: {
      if (mapping.per_node == 0) return refuse_mapping("0 ranks per node, expected 1 or more");
      const std::uint64_t room = std::uint64_t{mapping.per_node} * nodes.size();
      if (room < ranks)
        return refuse_mapping(fmt::format("{} ranks do not fit on {} with {} per node", ranks,
                                          counted(nodes.size(), "node"), mapping.per_node),
                              fmt::format("{} per node would fit", (ranks - 1) / nodes.size() + 1));
      for (const auto r : placed.ids()) placed[r] = NodeId{raw(r) / mapping.per_node};
      return placed;
    }
    case Mapping::Kind::nodes:
      break;
  }
  if (mapping.nodes.size() < ranks)
    return refuse_mapping(
        fmt::format("the list places {}, but the job has {}", counted(mapping.nodes.size(), "rank"), ranks));
  for (const auto r : placed.ids()) {
    placed[r] = NodeId{mapping.nodes[raw(r)]};
    if (!nodes.has(placed[r]))
      return refuse_mapping(fmt::format("rank {} is placed on node {}, expected 0 to {}", raw(r),
                                        raw(placed[r]), nodes.size() - 1));
  }
  return placed;
}

}  // namespace

Expected<Machine> place_ranks(const Platform& platform, std::uint32_t ranks) {
  Machine machine;
  std::uint64_t nodes = 0;
  for (const auto& group : platform.machines)
    for (const auto& g : group.nodes) nodes += g.count;
  if (nodes == 0) return refuse_mapping("the platform has no nodes");
  if (ranks == 0) return refuse_mapping("there are no ranks to place");
  if (nodes > kMaxNodes)
    return refuse_mapping(fmt::format("the platform has {} nodes, expected {} at most", nodes, kMaxNodes));
  machine.nodes.reserve(nodes);
  for (const auto& group : platform.machines)
    for (const auto& g : group.nodes) {
      Machine::Node node{g.cpus, g.relative_speed, platform.context_switch};
      if (g.waiting == NodeGroup::Waiting::polling) node.polling_quantum = g.quantum;
      if (g.shared_cpus) node.cpus_of = machine.nodes.next();
      machine.nodes.insert(machine.nodes.end(), g.count, node);
    }
  auto placed = place(platform.mapping, machine.nodes, ranks);
  if (!placed) return tl::unexpected(std::move(placed.error()));
  machine.rank_node = std::move(*placed);
  machine.modules.reserve(platform.modules.size());
  for (const auto& m : platform.modules)
    machine.modules.push_back({m.type, m.value, m.fixed ? -1.0 : m.ratio, m.fixed.value_or(Duration{})});
  return machine;
}

namespace {

/// Gives each rank a CPU.
std::string enough_cpus(const Platform& platform, const Machine& machine) {
  const auto ranks = machine.rank_node.size();
  std::uint64_t cpus = 0;
  for (const auto n : machine.nodes.ids())
    if (machine.owns_cpus(n)) cpus += machine.nodes[n].cpus;
  if (cpus >= ranks) return "--mapping fill gives each rank a CPU";
  const auto& nodes = platform.machines.front().nodes;
  if (platform.machines.size() > 1 || nodes.size() > 1)
    return fmt::format("the machine has {} in all: give it more nodes or CPUs with --set",
                       counted(cpus, "CPU"));
  if (nodes.front().shared_cpus) return fmt::format("--set /nodes/0/cpus={} gives each rank a CPU", ranks);
  return fmt::format("--set /nodes/0/count={} {}gives each rank a CPU",
                     (ranks + nodes.front().cpus - 1) / nodes.front().cpus,
                     platform.mapping.kind == Mapping::Kind::fill ? "" : "--mapping fill ");
}

/// Ranks that use each node's CPUs.
std::vector<std::uint32_t> ranks_of_nodes(const Machine& machine) {
  std::vector<std::uint32_t> ranks(machine.nodes.size());
  for (const auto rank : machine.rank_node.ids()) ++ranks[raw(machine.cpu_node(rank))];
  return ranks;
}

}  // namespace

Mapping mapping_of(const Machine& machine) {
  Mapping mapping;
  mapping.kind = Mapping::Kind::nodes;
  for (const auto node : machine.rank_node) mapping.nodes.push_back(raw(node));
  return mapping;
}

double ranks_per_cpu(const Machine& machine) {
  const auto ranks = ranks_of_nodes(machine);
  double most = 0;
  for (const auto node : machine.nodes.ids())
    most = std::max(most, static_cast<double>(ranks[raw(node)]) / machine.nodes[node].cpus);
  return most;
}

std::optional<Diagnostic> crowding_warning(const Platform& platform, const Machine& machine) {
  const auto ranks = ranks_of_nodes(machine);
  std::uint32_t crowded = 0;
  std::optional<NodeId> first;
  for (const auto node : machine.nodes.ids()) {
    if (ranks[raw(node)] <= machine.nodes[node].cpus) continue;
    ++crowded;
    if (!first) first = node;
  }
  if (!first) return std::nullopt;
  const auto& node = machine.nodes[*first];
  const auto who =
      node.cpus_of == kNone
          ? fmt::format("node {}{} has", raw(*first),
                        crowded == 1 ? "" : fmt::format(" (the first of {} such nodes)", crowded))
          : fmt::format("the nodes that share CPUs with node {} have", raw(*first));
  return Diagnostic{.code = "crowded-nodes",
                    .message = fmt::format("{} {} ranks for {}, so they {} in turn: {}", who,
                                           ranks[raw(*first)], counted(node.cpus, "CPU"),
                                           node.polling_quantum > Duration() ? "compute and poll" : "compute",
                                           enough_cpus(platform, machine))};
}

}  // namespace busline
