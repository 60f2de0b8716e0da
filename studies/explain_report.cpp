#include "studies/explain_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "platforms/platform_json.hpp"
#include "sim/program_builder.hpp"
#include "sim/quantity.hpp"
#include "studies/calibration_report.hpp"
#include "studies/output/json_document.hpp"
#include "studies/output/readable.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::int32_t kNoTag = -1;  // no dedicated connection takes it

// ---- computing

Explanation::Message message(const Platform& platform, const DimemasCosts& costs, std::uint32_t from,
                             std::uint32_t to, Bytes size) {
  Explanation::Message m;
  m.size = size;
  m.cost = costs.message(from, to, size, kNoTag);
  const auto limit = platform.mpi.rendezvous_from;
  m.rendezvous = limit && size >= *limit;
  m.total = m.cost.send_overhead + m.cost.transfer + m.cost.flight;
  if (m.rendezvous) m.total += platform.mpi.handshake;
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
  std::vector<std::uint32_t> representatives;  // the first member on each machine
  for (const auto& m : shape.machines)
    for (const auto rank : members)
      if (costs.machine_of(rank) == m.machine) {
        representatives.push_back(rank);
        break;
      }
  explanation.ranks = shape.members;
  explanation.collective_size = size;
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
    }
    explanation.collectives.push_back(c);
  }
  return {};
}

// ---- text

std::string servers(Count n) {
  return n == kUnlimited ? "unlimited" : std::to_string(n);
}

std::string links_text(const Links& links) {
  switch (links.kind) {
    case Links::Kind::unlimited:
      return "unlimited";
    case Links::Kind::half_duplex:
      return fmt::format("{} half duplex", servers(links.in));
    case Links::Kind::full_duplex:
      break;
  }
  return fmt::format("{} in, {} out", servers(links.in), servers(links.out));
}

std::string explained_line(std::string_view label, const std::string& value) {
  return fmt::format("  {:<16}{}\n", label, value);
}

// The same for a text of any length, broken between words.
std::string wrapped_line(std::string_view label, std::string_view value) {
  constexpr std::size_t kWidth = 92;
  std::string text;
  while (value.size() > kWidth) {
    const auto blank = value.rfind(' ', kWidth);
    const auto end = blank == value.npos || blank == 0 ? kWidth : blank;
    text += explained_line(label, std::string(value.substr(0, end)));
    value.remove_prefix(end);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    label = "";
  }
  return text + explained_line(label, std::string(value));
}

std::string group_text(const NodeGroup& g) {
  auto text = explained_line("nodes", fmt::format("{} of {}, relative speed {:g}", g.count,
                                                  readable(g.cpus, "CPU"), g.relative_speed));
  text +=
      explained_line("  memory", fmt::format("latency {}, {}, buses {}, links {}",
                                             to_text(g.intra_node.latency), readable(g.intra_node.bandwidth),
                                             servers(g.intra_node.buses), links_text(g.intra_node.links)));
  text += explained_line("  network links", links_text(g.links));
  if (g.latency) text += explained_line("  own latency", to_text(*g.latency));
  if (g.overheads.send != Duration() || g.overheads.receive != Duration())
    text += explained_line("  overheads", fmt::format("send {}, receive {}", to_text(g.overheads.send),
                                                      to_text(g.overheads.receive)));
  return text;
}

const char* paid(Network::LatencyAt at) {
  return at == Network::LatencyAt::cpu ? "on the CPUs" : "in flight";
}

std::string network_text(const Network& n) {
  auto text = fmt::format("latency {} (paid {}), {}, buses {}", to_text(n.latency), paid(n.latency_at),
                          readable(n.bandwidth), servers(n.buses));
  if (n.sharing == Network::Sharing::fair) text += ", shared fairly";
  if (n.sharing == Network::Sharing::streams) text += ", shared fairly by streams";
  if (n.sharing == Network::Sharing::queues) text += ", packets queue";
  for (const auto& c : n.size_classes)
    text += fmt::format("\n  {:<16}from {}: latency x {:g}, bandwidth x {:g}", "", to_text(c.from),
                        c.latency_factor, c.bandwidth_factor);
  return text;
}

std::string protocol_text(const Mpi& mpi) {
  if (!mpi.rendezvous_from) return "eager at every size";
  auto text = fmt::format("eager below {}, rendezvous from there", to_text(*mpi.rendezvous_from));
  if (mpi.handshake != Duration()) text += fmt::format(" (handshake {})", to_text(mpi.handshake));
  return text;
}

std::string mapping_text(const Mapping& mapping) {
  switch (mapping.kind) {
    case Mapping::Kind::fill:
      return "fill: a node's CPUs before the next node's";
    case Mapping::Kind::round_robin:
      return "round-robin over the nodes";
    case Mapping::Kind::per_node:
      return readable(mapping.per_node, "rank") + " per node";
    case Mapping::Kind::nodes:
      break;
  }
  return "explicit, for " + readable(mapping.nodes.size(), "rank");
}

std::string image_text(const Launch& l) {
  const auto read = fmt::format("read at {} after {}, {:g} of it", readable(l.fs_bandwidth),
                                to_text(l.fs_open_latency), l.page_fraction);
  switch (l.distribute) {
    case Launch::Distribute::shared_fs:
      return read + ", from a file system of all nodes";
    case Launch::Distribute::local:
      return read + ", from each node's own file system";
    case Launch::Distribute::broadcast:
      return "sent down the tree of daemons";
    case Launch::Distribute::cached:
      break;
  }
  return "on the nodes already";
}

std::string launch_text(const Launch& l) {
  auto text = explained_line(
      "launch", fmt::format("{}, then {} for each child, fan-out {}; daemons {}", to_text(l.launcher_start),
                            to_text(l.per_child), servers(l.fan_out), to_text(l.daemon_start)));
  text += explained_line("  executable", image_text(l));
  text += explained_line(
      "  processes", fmt::format("{} for {} at once", to_text(l.fork_exec), servers(l.spawn_parallelism)));
  text += explained_line("  MPI_Init",
                         l.modex == Launch::Modex::none
                             ? fmt::format("{}, addresses are looked up later", to_text(l.init_local))
                             : fmt::format("{}, and all get {} of each rank", to_text(l.init_local),
                                           to_text(l.modex_bytes_per_rank)));
  return text + explained_line("  connections",
                               fmt::format("{} each, {}", to_text(l.connection_setup),
                                           l.connect == Launch::Connect::lazy ? "when two ranks first meet"
                                                                              : "to all ranks in MPI_Init"));
}

std::string understood_text(const Platform& platform) {
  auto text = fmt::format("{} (preset {})\n", platform.name,
                          platform.preset == Preset::published ? "published" : "dimemas-5.5");
  if (!platform.description.empty()) text += wrapped_line("description", platform.description);
  if (!platform.source.empty()) text += wrapped_line("source", platform.source);
  for (std::size_t m = 0; m < platform.machines.size(); ++m) {
    const auto& machine = platform.machines[m];
    if (platform.machines.size() > 1) text += fmt::format("machine {} {}\n", m, machine.name);
    for (const auto& group : machine.nodes) text += group_text(group);
    text += explained_line("network", network_text(machine.network));
  }
  if (platform.machines.size() > 1)
    text +=
        explained_line("WAN", fmt::format("latency {} (paid {}), {}", to_text(platform.wan.latency),
                                          paid(platform.wan.latency_at), readable(platform.wan.bandwidth)));
  if (!platform.dedicated_connections.empty())
    text += explained_line("connections", fmt::format("{} dedicated", platform.dedicated_connections.size()));
  text += explained_line("messages", protocol_text(platform.mpi));
  text += explained_line("collectives",
                         platform.mpi.collectives_hold_buses ? "hold all buses" : "leave the buses alone");
  if (!platform.modules.empty()) text += explained_line("modules", std::to_string(platform.modules.size()));
  if (platform.context_switch != Duration())
    text += explained_line("context switch", to_text(platform.context_switch));
  text += explained_line("mapping", mapping_text(platform.mapping));
  if (platform.launch != Launch()) text += launch_text(platform.launch);
  return text;
}

std::string messages_text(const Explanation::Messages& all) {
  auto text = fmt::format("\nOne message alone, {}: T = sender's CPU + links and bus + flight\n", all.route);
  text += fmt::format("  {:>10}{:>14}{:>16}{:>12}{:>14}{:>14}  {}\n", "size", "sender's CPU", "links and bus",
                      "flight", "total", "receiver's", "protocol");
  for (const auto& m : all.by_size)
    text += fmt::format("  {:>10}{:>14}{:>16}{:>12}{:>14}{:>14}  {}\n", to_text(m.size),
                        readable(m.cost.send_overhead), readable(m.cost.transfer), readable(m.cost.flight),
                        readable(m.total), readable(m.cost.receive_overhead),
                        m.rendezvous ? "rendezvous" : "eager");
  return text;
}

// "(10 us + 1 KiB / 100 MB/s) x 4", or nothing for a phase that does not exist.
std::string phase_text(const FanCost& fan) {
  if (fan.factor == 0) return "";
  if (fan.bytes == 0 || fan.bandwidth.is_unlimited())
    return fmt::format("{} x {}", to_text(fan.latency), fan.factor);
  return fmt::format("({} + {} / {}) x {}", to_text(fan.latency), to_text(Bytes{fan.bytes}),
                     readable(fan.bandwidth), fan.factor);
}

std::string formula_text(const CollectivePhases& phases) {
  const auto in = phase_text(phases.fan_in), out = phase_text(phases.fan_out);
  if (in.empty() || out.empty()) return in.empty() && out.empty() ? "no cost" : in + out;
  return fmt::format("{} + {}", in, out);
}

std::string algorithm_text(const Explanation::Collective& c) {
  const auto name = name_of(*c.algorithm);
  return c.total ? fmt::format("{}, {}", name, readable(c.messages, "message")) : std::string(name);
}

std::string collectives_text(const Platform& platform, const Explanation& e) {
  auto text =
      fmt::format("\nCollectives of {}{}, {} per peer: T = fan in + fan out\n", readable(e.ranks, "rank"),
                  e.one_rank_per_node ? ", one on each node" : "", to_text(e.collective_size));
  for (const auto& c : e.collectives)
    text += fmt::format("  {:<26}{:>12} = {}\n", name_of(c.kind), c.total ? readable(*c.total) : "-",
                        c.algorithm ? algorithm_text(c) : formula_text(c.phases));
  if (platform.preset == Preset::dimemas_5_5)
    text += "  The time is the sum over network, nodes and WAN; the formula is of the one that costs most.\n";
  return text;
}

// ---- JSON

ordered_json fan_json(const FanCost& fan) {
  ordered_json j{{"latency_ps", fan.latency.count()}};
  j["bandwidth"] = to_text(fan.bandwidth);
  j["bytes"] = fan.bytes;
  j["factor"] = fan.factor;
  j["time_ps"] = fan.time.count();
  return j;
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

ordered_json to_json(const Platform& platform, const Explanation& e) {
  ordered_json messages = ordered_json::array(), collectives = ordered_json::array();
  for (const auto& all : e.messages)
    for (const auto& m : all.by_size)
      messages.push_back({{"route", all.route},
                          {"bytes", count(m.size)},
                          {"protocol", m.rendezvous ? "rendezvous" : "eager"},
                          {"send_overhead_ps", m.cost.send_overhead.count()},
                          {"transfer_ps", m.cost.transfer.count()},
                          {"flight_ps", m.cost.flight.count()},
                          {"receive_overhead_ps", m.cost.receive_overhead.count()},
                          {"total_ps", m.total.count()}});
  for (const auto& c : e.collectives) {
    ordered_json j{{"name", name_of(c.kind)},
                   {"bytes", c.kind == CollectiveKind::barrier ? 0 : count(e.collective_size)}};
    if (c.algorithm) {
      j["algorithm"] = name_of(*c.algorithm);
      if (c.total) j["messages"] = c.messages;
    } else {
      j["fan_in"] = fan_json(c.phases.fan_in);
      j["fan_out"] = fan_json(c.phases.fan_out);
      j["flight_ps"] = c.phases.flight.count();
    }
    if (c.total) j["total_ps"] = c.total->count();
    collectives.push_back(std::move(j));
  }
  return {{"schema", "busline/explanation/1"},     {"platform", to_json(platform)},
          {"messages", std::move(messages)},       {"ranks", e.ranks},
          {"collectives", std::move(collectives)}, {"diagnostics", to_json(e.diagnostics)}};
}

std::string to_text(const Platform& platform, const Explanation& explanation) {
  auto text = understood_text(platform);
  for (const auto& all : explanation.messages) text += messages_text(all);
  text += collectives_text(platform, explanation);
  if (platform.calibration) text += '\n' + to_text(*platform.calibration);
  return text;
}

}  // namespace busline
