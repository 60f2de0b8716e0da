#include "studies/machines/platform_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "documents/text/readable.hpp"
#include "platforms/description/platform_fields.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

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

std::string memory_protocol_text(const NodeGroup::Memory& memory) {
  std::string text;
  if (const auto& limit = memory.rendezvous_from)
    text +=
        limit->from ? fmt::format(", rendezvous from {}", to_text(*limit->from)) : ", eager at every size";
  if (memory.handshake) text += fmt::format(", handshake {}", to_text(*memory.handshake));
  return text;
}

std::string group_text(const NodeGroup& g) {
  auto text = explained_line(
      "nodes", fmt::format("{} {} {}, relative speed {:g}", g.count, g.shared_cpus ? "that share" : "of",
                           readable(g.cpus, "CPU"), g.relative_speed));
  if (g.waiting == NodeGroup::Waiting::polling)
    text += explained_line("  waiting", fmt::format("polling; ranks that share CPUs have time slices of {}",
                                                    to_text(g.quantum)));
  text += explained_line("  memory",
                         fmt::format("latency {}, {}, buses {}, links {}{}", to_text(g.intra_node.latency),
                                     readable(g.intra_node.bandwidth), servers(g.intra_node.buses),
                                     links_text(g.intra_node.links), memory_protocol_text(g.intra_node)));
  if (g.self)
    text += explained_line(
        "  to oneself", fmt::format("latency {}, {}", to_text(g.self->latency), readable(g.self->bandwidth)));
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
  if (n.sharing == Network::Sharing::queues && n.packet > Bytes())
    text += fmt::format(" ({} each)", to_text(n.packet));
  for (const auto& c : n.size_classes)
    text += fmt::format("\n  {:<16}from {}: latency x {:g}, bandwidth x {:g}", "", to_text(c.from),
                        c.latency_factor, c.bandwidth_factor);
  return text;
}

std::string protocol_text(const Mpi& mpi) {
  if (!mpi.rendezvous_from) return "eager at every size";
  auto text = fmt::format("eager below {}, rendezvous from there", to_text(*mpi.rendezvous_from));
  if (mpi.ssend_handshake)
    text += fmt::format(" (handshake {}, of a smaller Ssend {})", to_text(mpi.handshake),
                        to_text(*mpi.ssend_handshake));
  else if (mpi.handshake != Duration())
    text += fmt::format(" (handshake {})", to_text(mpi.handshake));
  if (mpi.progress == Mpi::Progress::in_calls) text += ", progress only in calls";
  if (mpi.handshakes == Mpi::Handshakes::behind_data) text += " and behind data";
  return text;
}

std::string collectives_summary(const Mpi& mpi) {
  const auto preset = mpi.collectives.preset.value_or(CollectivePreset::dimemas);
  const auto* const buses = mpi.collectives_hold_buses ? "occupy all buses" : "do not use the buses";
  if (preset == CollectivePreset::dimemas) return buses;
  return fmt::format("the algorithms of preset {}; closed forms {}", name_of(preset), buses);
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
      return read + ", from a file system shared by all nodes";
    case Launch::Distribute::local:
      return read + ", from each node's own file system";
    case Launch::Distribute::broadcast:
      return "sent down the tree of daemons";
    case Launch::Distribute::cached:
      break;
  }
  return "already on the nodes";
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
                             : fmt::format("{}, and all receive {} from each rank", to_text(l.init_local),
                                           to_text(l.modex_bytes_per_rank)));
  return text + explained_line("  connections",
                               fmt::format("{} each, {}", to_text(l.connection_setup),
                                           l.connect == Launch::Connect::lazy ? "when two ranks first meet"
                                                                              : "to all ranks in MPI_Init"));
}

}  // namespace

std::string platform_text(const Platform& platform) {
  auto text = fmt::format("{} (preset {})\n", platform.name, name_in(kPresetNames, platform.preset));
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
  text += explained_line("collectives", collectives_summary(platform.mpi));
  if (!platform.modules.empty()) text += explained_line("modules", std::to_string(platform.modules.size()));
  if (platform.context_switch != Duration())
    text += explained_line("context switch", to_text(platform.context_switch));
  text += explained_line("mapping", mapping_text(platform.mapping));
  if (platform.launch != Launch()) text += launch_text(platform.launch);
  return text;
}

}  // namespace busline
