#include "models/costs/collective_costs.hpp"

#include <algorithm>

#include "models/costs/costs.hpp"

namespace busline {
namespace {

std::uint64_t size_for(SizeRule rule, bool fan_in, std::uint64_t s, std::uint64_t r) {
  switch (rule) {
    case SizeRule::current:
      return fan_in ? s : r;
    case SizeRule::min:
      return std::min(s, r);
    case SizeRule::max:
      return std::max(s, r);
    case SizeRule::mean:
      return s / 2 + r / 2 + (s % 2 + r % 2) / 2;
    case SizeRule::twice_max:
      return 2 * std::max(s, r);
    case SizeRule::sum:
      break;
  }
  return s + r;
}

/// LIN counts all ranks in the published text, one less in Dimemas 5.5.
std::uint64_t factor_for(FanModel model, std::uint64_t ranks, std::uint64_t buses, bool leveled) {
  switch (model) {
    case FanModel::none:
      return 0;
    case FanModel::constant:
      return 1;
    case FanModel::linear:
      return leveled ? ranks - 1 : ranks;
    case FanModel::logarithmic:
      break;
  }
  return tree_steps(ranks, buses);
}

struct Level {
  Duration latency;
  Bandwidth bandwidth;
  std::uint64_t ranks = 1, buses = 0;
  bool leveled = false;
  // The costs of a machine's network, and how often its latency is in `latency`.
  bool is_network = false;
  double latencies = 0;
};

FanCost fan(const Level& level, const Fan& f, bool fan_in, std::uint64_t s, std::uint64_t r) {
  FanCost c;
  c.model = f.model;
  c.latency = level.latency;
  c.bandwidth = level.bandwidth;
  c.bytes = size_for(f.size, fan_in, s, r);
  c.factor = factor_for(f.model, level.ranks, level.buses, level.leveled);
  if (c.factor == 0) return c;
  const double step = static_cast<double>(level.latency.count()) +
                      static_cast<double>(c.bytes) / level.bandwidth.in_bytes_per_second() * 1e12;
  // At most an eighth of the clock's range, so that phases and levels can be added.
  constexpr auto kMost = Duration::picoseconds(Duration::max().count() / 8);
  c.time = std::min(kMost, Duration::from_double(step * static_cast<double>(c.factor)));
  return c;
}

/// The parts of a phase's time, before rounding.
CollectivePhases::NetworkShare share_of(const Level& level, const FanCost& c) {
  if (!level.is_network) return {};
  const auto factor = static_cast<double>(c.factor);
  return {level.latencies * factor,
          static_cast<double>(c.bytes) / level.bandwidth.in_bytes_per_second() * 1e12 * factor};
}

struct LevelCost {
  FanCost in, out;
  CollectivePhases::NetworkShare network{};
  Duration time() const { return in.time + out.time; }
  /// The key by which Dimemas compares levels: times plus, once more, their latencies.
  double weight() const {
    const auto latencies = [](const FanCost& f) {
      return static_cast<double>(f.latency.count()) * static_cast<double>(f.factor);
    };
    return static_cast<double>(time().count()) + latencies(in) + latencies(out);
  }
};

LevelCost level_cost(const Level& level, const ClosedForm& form, std::uint64_t s, std::uint64_t r) {
  LevelCost c;
  c.in = fan(level, form.fan_in, true, s, r);
  c.out = fan(level, form.fan_out, false, s, r);
  const auto in = share_of(level, c.in), out = share_of(level, c.out);
  c.network = {in.latencies + out.latencies, in.transfer + out.transfer};
  return c;
}

const std::vector<CollectiveCost>& row(const CollectiveTable& t, CollectiveKind kind) {
  return t.by_kind[static_cast<std::size_t>(kind)];
}

bool moves_no_data(CollectiveKind kind) {
  return kind >= CollectiveKind::comm_dup;
}

}  // namespace

const CollectiveCost* entry_for(const std::vector<CollectiveCost>& list, std::uint64_t bytes) {
  const CollectiveCost* found = nullptr;
  for (const auto& e : list)
    if (count(e.from) <= bytes) found = &e;
  return found;
}

std::uint64_t tree_steps(std::uint64_t ranks, std::uint64_t buses) {
  std::uint64_t steps = 0;
  for (std::uint64_t half = 1; half < ranks; half *= 2) {
    const std::uint64_t messages = (ranks - half + 2 * half - 1) / (2 * half);
    steps += buses == 0 ? 1 : (messages + buses - 1) / buses;
  }
  return steps;
}

ClosedForm conventional_cost(CollectiveKind kind) {
  using enum CollectiveKind;
  constexpr auto kLog = FanModel::logarithmic;
  constexpr Fan kAbsent{};
  switch (kind) {
    case bcast:
      return {kAbsent, {kLog, SizeRule::max}};
    case gather:
    case gatherv:
      return {{kLog, SizeRule::mean}, kAbsent};
    case scatter:
    case scatterv:
      return {kAbsent, {kLog, SizeRule::mean}};
    case allgather:
    case allgatherv:
    case alltoall:
    case alltoallv:
    case alltoallw:
      return {{kLog, SizeRule::mean}, {kLog, SizeRule::mean}};
    case reduce:
      return {{kLog, SizeRule::twice_max}, kAbsent};
    case allreduce:
      return {{kLog, SizeRule::twice_max}, {kLog, SizeRule::max}};
    case reduce_scatter:
    case reduce_scatter_block:
      return {{kLog, SizeRule::twice_max}, {kLog, SizeRule::min}};
    case init:
    case finalize:
      return {kAbsent, kAbsent};
    default:
      return {{kLog, SizeRule::max}, {kLog, SizeRule::max}};  // Scan, and Barrier's kind, whose sizes are 0
  }
}

/// The machine's (or the WAN's) own table, then the platform's; in each the operation's row, then "default".
/// Operations without data follow Barrier where they have no row. Null: the conventional table.
const CollectiveCost* DimemasCosts::entry_of(CollectiveKind kind, const CollectiveTable* own,
                                             std::uint64_t bytes) const {
  for (const auto* table : {own, &platform_.mpi.collectives}) {
    if (table == nullptr) continue;
    const auto* e = entry_for(row(*table, kind), bytes);
    if (e == nullptr && moves_no_data(kind)) e = entry_for(row(*table, CollectiveKind::barrier), bytes);
    if (e == nullptr) e = entry_for(table->fallback, bytes);
    if (e != nullptr) return e;
  }
  return nullptr;
}

/// Where a named algorithm cannot be used, the conventional form replaces it.
ClosedForm DimemasCosts::cost_of(CollectiveKind kind, const CollectiveTable* own, std::uint64_t bytes) const {
  const auto* e = entry_of(kind, own, bytes);
  return e == nullptr || e->algorithm ? conventional_cost(kind) : e->cost;
}

bool DimemasCosts::names_algorithms() const {
  const auto in = [](const std::vector<CollectiveCost>& row) {
    return std::any_of(row.begin(), row.end(), [](const CollectiveCost& c) { return c.algorithm; });
  };
  const auto names = [&](const CollectiveTable& t) {
    return t.preset.value_or(CollectivePreset::dimemas) != CollectivePreset::dimemas ||
           std::any_of(t.by_kind.begin(), t.by_kind.end(), in);
  };
  return names(platform_.mpi.collectives) || names(platform_.wan.collectives) ||
         std::any_of(platform_.machines.begin(), platform_.machines.end(),
                     [&](const MachineGroup& m) { return names(m.collectives); });
}

std::optional<Algorithm> DimemasCosts::algorithm(CollectiveKind kind, const CommunicatorShape& shape,
                                                 std::uint64_t bytes, bool nonblocking) const {
  const auto& own = shape.spans_machines() ? platform_.wan.collectives
                                           : platform_.machines[shape.machines.front().machine].collectives;
  const auto preset =
      (own.preset ? own.preset : platform_.mpi.collectives.preset).value_or(CollectivePreset::dimemas);
  // What a user forces on a library, and what calibration measures, are its blocking forms.
  if (!nonblocking || preset == CollectivePreset::dimemas)
    if (const auto* e = entry_of(kind, &own, bytes)) return e->algorithm;
  CollectiveCall call{kind, shape.members, bytes};
  call.nonblocking = nonblocking;
  return chosen_algorithm(preset, call);
}

CollectivePhases DimemasCosts::collective(CollectiveKind kind, const CommunicatorShape& shape,
                                          std::uint64_t send_bytes, std::uint64_t recv_bytes,
                                          std::span<const RankId> representatives,
                                          std::size_t root_machine) const {
  return leveled_ ? leveled_collective(kind, shape, send_bytes, recv_bytes, representatives, root_machine)
                  : published_collective(kind, shape, send_bytes, recv_bytes);
}

/// One level: the network's figures if the communicator spans nodes, else the node's own, between machines
/// the WAN's. P is all its ranks; the largest latency among the nodes taking part counts.
CollectivePhases DimemasCosts::published_collective(CollectiveKind kind, const CommunicatorShape& shape,
                                                    std::uint64_t s, std::uint64_t r) const {
  const auto& first = shape.machines.front();
  const auto& machine = platform_.machines[first.machine];
  const auto& intra = groups_[first.shares.front().group].group->intra_node;
  const CollectiveTable* own = &machine.collectives;
  Level level;
  level.ranks = shape.members;
  if (shape.spans_machines()) {
    level.bandwidth = platform_.wan.bandwidth;
    own = &platform_.wan.collectives;
  } else if (shape.spans_nodes()) {
    level.bandwidth = machine.network.bandwidth;
    level.buses = machine.network.buses;
    level.is_network = true;
  } else {
    level.bandwidth = intra.bandwidth;
    level.buses = intra.buses;
  }
  for (const auto& m : shape.machines)
    for (const auto& share : m.shares) {
      const Group& g = groups_[share.group];
      const auto latency = shape.spans_machines() ? g.wan_latency
                           : shape.spans_nodes()  ? g.network_latency
                                                  : g.memory_latency;
      if (latency >= level.latency) level.latencies = has_network_latency(g) ? 1 : 0;
      level.latency = std::max(level.latency, latency);
    }
  if (contention_ == Contention::ignored) level.buses = 0;
  const auto form = cost_of(kind, own, std::max(s, r));
  const auto cost = level_cost(level, form, s, r);
  return {cost.in, cost.out, cost.time(), {}, cost.network};
}

/// Three levels: the costliest machine's network over its nodes, its costliest node over the ranks there, and
/// the WAN over all ranks.
CollectivePhases DimemasCosts::leveled_collective(CollectiveKind kind, const CommunicatorShape& shape,
                                                  std::uint64_t s, std::uint64_t r,
                                                  std::span<const RankId> representatives,
                                                  std::size_t root_machine) const {
  LevelCost network;
  LevelCost node;
  double most = 0;
  const auto bytes = std::max(s, r);
  for (std::size_t i = 0; i < shape.machines.size(); ++i) {
    const auto& share = shape.machines[i];
    const auto& machine = platform_.machines[share.machine];
    const auto form = cost_of(kind, &machine.collectives, bytes);
    LevelCost here_network;
    if (machine_nodes_[share.machine] > 1) {
      const auto& g = groups_[places_[representatives[i]].group];
      const auto buses = contention_ == Contention::ignored ? 0 : machine.network.buses;
      here_network = level_cost({g.network_latency, machine.network.bandwidth, share.nodes, buses, true, true,
                                 has_network_latency(g) ? 1. : 0.},
                                form, s, r);
    }
    LevelCost here_node;
    double most_node = 0;
    for (const auto& n : share.shares) {
      const auto& g = groups_[n.group];
      const auto cost =
          level_cost({g.memory_latency, g.group->intra_node.bandwidth, n.members, 0, true}, form, s, r);
      if (cost.weight() > most_node) {
        most_node = cost.weight();
        here_node = cost;
      }
    }
    if (here_network.weight() + here_node.weight() > most) {
      most = here_network.weight() + here_node.weight();
      network = here_network;
      node = here_node;
    }
  }
  CollectivePhases result;
  LevelCost wan;
  if (shape.spans_machines()) {
    const auto& g = groups_[places_[representatives.back()].group];
    wan = level_cost({g.wan_latency, platform_.wan.bandwidth, shape.members, 0, true},
                     cost_of(kind, &platform_.wan.collectives, bytes), s, r);
    if (!platform_.wan.flight.empty()) {
      const auto root = shape.machines[root_machine].machine;
      Duration to_root;
      Duration from_root;
      for (const auto& m : shape.machines) {
        if (m.machine == root) continue;
        to_root = std::max(to_root, platform_.wan.flight[m.machine][root]);
        from_root = std::max(from_root, platform_.wan.flight[root][m.machine]);
      }
      result.flight = to_root + from_root;
    }
  }
  result.held = network.time() + node.time() + wan.time();
  result.network = network.network;
  const auto* costliest = &network;
  for (const auto* l : {&node, &wan})
    if (l->time() > costliest->time()) costliest = l;
  result.fan_in = costliest->in;
  result.fan_out = costliest->out;
  return result;
}

}  // namespace busline
