#include "studies/machines/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "sim/program/program_builder.hpp"

namespace busline {
namespace {

constexpr std::int32_t kNoTag = -1;  // no dedicated connection takes it

Explanation::Message message(const Platform& platform, const DimemasCosts& costs, std::uint32_t from,
                             std::uint32_t to, Bytes size) {
  Explanation::Message m;
  m.size = size;
  m.cost = costs.message(RankId{from}, RankId{to}, size, kNoTag);
  const bool inside = m.cost.route == Route::memory;
  const auto& node = costs.group_of_node(costs.node_of(RankId{from}));
  const auto route = inside ? memory_protocol(platform.mpi, node.intra_node) : network_protocol(platform.mpi);
  m.protocol = is_large(route, count(size)) ? Protocol::rendezvous : Protocol::eager;
  m.total = m.cost.send_overhead + m.cost.transfer + m.cost.flight;
  if (m.protocol == Protocol::rendezvous) m.total += route.handshake;
  return m;
}

// Ranks 2n and 2n + 1 sit on node n. One entry for each kind of node, and for each machine and pair of
// machines.
void add_messages(const Platform& platform, const DimemasCosts& costs, const ExplainOptions& options,
                  Explanation& explanation) {
  const auto add = [&](std::string route, std::uint32_t from, std::uint32_t to) {
    Explanation::Messages all{std::move(route), {}};
    for (const auto size : options.message_sizes)
      all.by_size.push_back(message(platform, costs, from, to, size));
    explanation.messages.push_back(std::move(all));
  };
  const bool several = platform.machines.size() > 1;
  std::uint32_t node = 0;
  for (std::size_t m = 0; m < platform.machines.size(); ++m) {
    const auto& machine = platform.machines[m];
    const auto of_machine = several ? fmt::format(" of machine {}", m) : "";
    const auto first = node;
    for (const auto& group : machine.nodes) {
      const auto which = machine.nodes.size() > 1 ? fmt::format("inside node {}{}", node, of_machine)
                                                  : fmt::format("inside a node{}", of_machine);
      add(which, 2 * node, 2 * node + 1);
      node += group.count;
    }
    if (node - first > 1) add(fmt::format("between nodes{}", of_machine), 2 * first, 2 * first + 2);
    if (m > 0) add(fmt::format("between machines 0 and {}", m), 0, 2 * first);
  }
}

std::uint64_t count_nodes(const Platform& platform) {
  std::uint64_t n = 0;
  for (const auto& machine : platform.machines)
    for (const auto& group : machine.nodes) n += group.count;
  return n;
}

/// One collective of all ranks, from rank 0 if there is a root.
Program alone(CollectiveKind kind, std::uint32_t ranks, std::uint64_t bytes) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    CollectiveArgs args;
    args.kind = kind;
    args.is_root = r == 0 && has_root(kind);
    args.send_bytes = args.recv_bytes = bytes;
    b.collective(args);
  }
  return b.build();
}

/// The time and the messages of an algorithm: no formula knows the links and buses that it meets.
Expected<void> carry_out(const Platform& platform, const Machine& machine, Explanation::Collective& c,
                         std::uint64_t bytes) {
  const auto ranks = static_cast<std::uint32_t>(machine.rank_node.size());
  if (ranks > kMostExplainedRanks) return {};
  const auto result = simulate(alone(c.kind, ranks, bytes), platform, machine);
  if (!result) return tl::unexpected(result.error());
  if (result->status != Result::Status::complete) return {};
  c.total = result->run_time.since_start();
  c.messages = result->collective_messages;
  return {};
}

Expected<void> add_collectives(const DimemasCosts& costs, const Machine& machine,
                               const std::vector<std::uint32_t>& members, Bytes size,
                               Explanation& explanation) {
  const auto shape = costs.shape(members);
  std::vector<RankId> representatives;  // the first member on each machine
  for (const auto& m : shape.machines)
    for (const auto member : members)
      if (const RankId rank{member}; costs.machine_of(rank) == m.machine) {
        representatives.push_back(rank);
        break;
      }
  explanation.ranks = shape.members;
  explanation.collective_size = size;
  LinkBoundCounter bound;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(CollectiveKind::exscan); ++k) {
    Explanation::Collective c;
    c.kind = static_cast<CollectiveKind>(k);
    const auto bytes = c.kind == CollectiveKind::barrier ? 0 : count(size);
    c.algorithm = costs.algorithm(c.kind, shape, bytes);
    if (c.algorithm) {
      if (auto carried = carry_out(costs.platform(), machine, c, bytes); !carried) return carried;
    } else {
      c.phases = costs.collective(c.kind, shape, bytes, bytes, representatives, 0);
      c.total = c.phases.held + c.phases.flight;
      bound.count(c.kind, *c.total, costs.link_bound(c.kind, shape, bytes, bytes));
    }
    explanation.collectives.push_back(c);
  }
  explanation.below_link_bound = bound.found();
  return {};
}

}  // namespace

Expected<Explanation> explain(const Platform& platform, const ExplainOptions& options) {
  Explanation explanation;
  // Too many nodes are refused by place_ranks, whatever the ranks.
  const auto nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(count_nodes(platform), kMaxNodes));
  Platform spread = platform;
  spread.mapping.kind = Mapping::Kind::per_node;
  spread.mapping.per_node = 2;
  const auto pairs = place_ranks(spread, 2 * nodes);
  if (!pairs) return tl::unexpected(pairs.error());
  add_messages(spread, DimemasCosts(spread, *pairs, Contention::counted), options, explanation);

  explanation.one_rank_per_node = options.ranks == 0 && nodes > 1;
  const auto ranks = options.ranks != 0 ? options.ranks
                     : nodes > 1        ? nodes
                                        : platform.machines[0].nodes[0].cpus;
  if (options.ranks == 0) spread.mapping.per_node = nodes > 1 ? 1 : ranks;
  const auto& placed_as = options.ranks == 0 ? spread : platform;
  const auto machine = place_ranks(placed_as, ranks);
  if (!machine) return tl::unexpected(machine.error());
  std::vector<std::uint32_t> members(ranks);
  std::iota(members.begin(), members.end(), 0U);
  if (auto added = add_collectives(DimemasCosts(placed_as, *machine, Contention::counted), *machine, members,
                                   options.collective_size, explanation);
      !added)
    return tl::unexpected(added.error());
  return explanation;
}

}  // namespace busline
