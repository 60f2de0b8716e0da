#include "models/ideal/order_free.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace busline {
namespace {

bool has_a_cpu_each(const Program& program, const Machine& machine) {
  IdVector<NodeId, std::uint32_t> strands(machine.nodes.size(), 0);
  for (const auto& s : program.strands()) ++strands[machine.cpu_node(RankId{s.rank})];
  for (const auto n : strands.ids())
    if (strands[n] > machine.nodes[n].cpus || machine.nodes[n].context_switch > Duration{}) return false;
  return true;
}

/// Strands of a rank send and receive in the order in which they reach their operations.
bool has_ranks_of_several_strands(const Program& program) {
  const auto strands = program.strands();
  return std::adjacent_find(strands.begin(), strands.end(), [](const Strand& a, const Strand& b) {
           return a.rank == b.rank;
         }) != strands.end();
}

/// Under dimemas-5.5 the last rank to arrive determines the sizes and the latency of a collective without a
/// root.
bool arrival_order_matters(const Program& program, const Platform& platform) {
  if (platform.preset != Preset::dimemas_5_5) return false;
  if (platform.machines.size() > 1 || platform.machines.front().nodes.size() > 1) return true;
  using Call = std::pair<std::uint32_t, CollectiveKind>;
  std::map<Call, const CollectiveArgs*> seen;
  std::map<Call, bool> rooted;
  for (const auto& a : program.collectives())
    if (a.is_root) rooted[{a.communicator, a.kind}] = true;
  for (const auto& a : program.collectives()) {
    if (a.sync == CollectiveArgs::Sync::root_synchronised) return true;
    if (rooted.contains({a.communicator, a.kind})) continue;
    const auto [first, fresh] = seen.try_emplace({a.communicator, a.kind}, &a);
    if (!fresh && (first->second->send_bytes != a.send_bytes || first->second->recv_bytes != a.recv_bytes))
      return true;
  }
  return false;
}

}  // namespace

bool order_free(const Program& program, const Machine& machine, const Platform& platform) {
  // Otherwise a handshake depends on what its ranks do at that time.
  if (platform.mpi.progress == Mpi::Progress::in_calls) return false;
  if (!program.wildcards().empty() || has_ranks_of_several_strands(program) ||
      !has_a_cpu_each(program, machine) || arrival_order_matters(program, platform))
    return false;
  const auto ops = program.operations();
  return std::none_of(ops.begin(), ops.end(), [](const Operation& op) {
    return op.kind == OpKind::probe || op.kind == OpKind::repeat || op.kind == OpKind::start ||
           op.kind == OpKind::again || (op.flags & Operation::to_last_source) != 0;
  });
}

}  // namespace busline
