#include "platforms/description/platform_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/object.hpp"
#include "platforms/description/platform_fields.hpp"
#include "sim/base/text_parts.hpp"
#include "sim/replay/time_slices.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

// One machine's nodes and network at the top, or several machines and the network between them.
Expected<void> gather_machines(const Cursor& at, PlatformDocument& d) {
  auto& p = d.platform;
  if (d.machines) {
    for (const auto* key : {"nodes", "network"})
      if (at.member(key))
        return tl::unexpected(at.key_error(key, "cannot be combined with 'machines', which have their own"));
    if (d.machines->empty())
      return tl::unexpected(at.member("machines")->error("expected at least one machine"));
    p.machines = std::move(*d.machines);
  } else {
    for (const auto* key : {"nodes", "network"})
      if (!at.member(key)) return tl::unexpected(fields::missing(at, key));
    p.machines.push_back({{}, std::move(*d.nodes), std::move(*d.network), {}});
  }
  if (p.machines.size() > 1 && !d.wan)
    return tl::unexpected(at.error("'wan' is missing: there are several machines"));
  if (p.machines.size() == 1 && d.wan)
    return tl::unexpected(at.key_error("wan", "there is one machine, 'wan' connects several"));
  if (d.wan) p.wan = std::move(*d.wan);
  return {};
}

Expected<void> check_nodes(const Cursor& at, const Platform& p, const MachineGroup& machine,
                           std::uint64_t& total) {
  const auto nodes = at.member("nodes");
  if (machine.nodes.empty()) return tl::unexpected(nodes->error("expected at least one group of nodes"));
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    const auto& g = machine.nodes[i];
    const auto group = nodes->element(i);
    total += g.count;
    if (total > kMaxNodes)
      return tl::unexpected(
          group.error(fmt::format("the groups so far have {} nodes, expected {} at most", total, kMaxNodes)));
    if (g.wan_latency && p.machines.size() == 1)
      return tl::unexpected(
          group.key_error("wan_latency", "there is one machine, 'wan_latency' applies between several"));
    if (g.waiting == NodeGroup::Waiting::polling && p.context_switch > Duration())
      return tl::unexpected(group.key_error(
          "waiting", "'polling' cannot be combined with 'context_switch': leave out one of them"));
  }
  return {};
}

Expected<void> check_mpi(const Cursor& at, const Mpi& mpi) {
  if (mpi.handshakes == Mpi::Handshakes::beside_data || mpi.progress == Mpi::Progress::in_calls) return {};
  return tl::unexpected(
      at.member("mpi")->key_error("handshakes", "'behind-data' needs \"progress\": \"in-calls\""));
}

// Only a machine's own nodes are on its topology.
Expected<void> check_topology(const Cursor& at, const MachineGroup& machine) {
  if (!machine.network.topology) return {};
  const auto network = *at.member("network");
  const auto topology = *network.member("topology");
  const auto made = make_topology(topology, *machine.network.topology);
  if (!made) return tl::unexpected(made.error());
  std::uint64_t nodes = 0;
  for (const auto& g : machine.nodes) nodes += g.count;
  if (nodes > made->hosts())
    return tl::unexpected(
        topology.error(fmt::format("this network has {}, expected one for each of the {} or more",
                                   counted(made->hosts(), "host"), counted(nodes, "node"))));
  return {};
}

Expected<void> check_connections(const Cursor& at, const Platform& p) {
  for (std::size_t i = 0; i < p.dedicated_connections.size(); ++i) {
    const auto& c = p.dedicated_connections[i];
    const auto list = *at.member("dedicated_connections");
    const auto connection = list.element(i);
    for (const auto& [key, machine] :
         {std::pair{"machine_a", c.machine_a}, std::pair{"machine_b", c.machine_b}})
      if (machine >= p.machines.size())
        return tl::unexpected(connection.member(key)->error(
            fmt::format("there is no machine {}, expected 0 to {}", machine, p.machines.size() - 1)));
    if (c.machine_a == c.machine_b)
      return tl::unexpected(connection.member("machine_b")->error("expected a machine other than machine_a"));
  }
  return {};
}

Expected<void> check_modules(const Cursor& at, const Platform& p) {
  std::set<std::pair<std::uint32_t, std::int64_t>> events;
  for (std::size_t i = 0; i < p.modules.size(); ++i)
    if (!events.emplace(p.modules[i].type, p.modules[i].value).second) {
      const auto list = *at.member("modules");
      return tl::unexpected(list.element(i).error("this event already has a module"));
    }
  return {};
}

// Values for a wrong number of machines or nodes.
Expected<void> check_sizes(const Cursor& at, const Platform& p, std::uint64_t nodes) {
  if (!p.wan.flight.empty()) {
    const auto wan = *at.member("wan");
    const auto flight = *wan.member("flight");
    const auto m = p.machines.size();
    const auto rows = fmt::format("expected {} lists of {} times, from each machine to each", m, m);
    if (p.wan.flight.size() != m) return tl::unexpected(flight.error(rows));
    for (std::size_t i = 0; i < m; ++i)
      if (p.wan.flight[i].size() != m) return tl::unexpected(flight.element(i).error(rows));
  }
  for (std::size_t rank = 0; rank < p.mapping.nodes.size(); ++rank)
    if (p.mapping.nodes[rank] >= nodes) {
      const auto mapping = *at.member("mapping");
      return tl::unexpected(mapping.element(rank).error(
          fmt::format("there is no node {}, expected 0 to {}", p.mapping.nodes[rank], nodes - 1)));
    }
  return {};
}

// A message between machines takes links of both, so both must share links alike; and there is only one
// solver of flows.
Expected<void> check_sharing(const Cursor& at, const Platform& p) {
  const auto& first = p.machines[0].network;
  for (std::size_t i = 1; i < p.machines.size(); ++i) {
    const auto& other = p.machines[i].network;
    if (other.sharing == first.sharing && other.flow == first.flow) continue;
    const std::string key = other.sharing == first.sharing ? "flow" : "sharing";
    const auto machines = *at.member("machines");
    const auto machine = machines.element(i);  // references to it need it
    const auto network = *machine.member("network");
    const auto member = network.member(key);
    return tl::unexpected((member ? *member : network)
                              .error(fmt::format("expected the same '{}' as the first machine's", key)));
  }
  return {};
}

Expected<void> check_machine(const Cursor& at, const Platform& p, const MachineGroup& machine,
                             std::uint64_t& nodes) {
  if (auto good = check_nodes(at, p, machine, nodes); !good) return good;
  return check_topology(at, machine);
}

Expected<void> check_platform(const Cursor& at, const Platform& p) {
  std::uint64_t nodes = 0;
  if (const auto machines = at.member("machines")) {
    for (std::size_t i = 0; i < p.machines.size(); ++i)
      if (auto good = check_machine(machines->element(i), p, p.machines[i], nodes); !good) return good;
  } else if (auto good = check_machine(at, p, p.machines[0], nodes); !good) {
    return good;
  }
  if (auto good = check_connections(at, p); !good) return good;
  if (auto good = check_modules(at, p); !good) return good;
  if (auto good = check_mpi(at, p.mpi); !good) return good;
  if (auto good = check_sharing(at, p); !good) return good;
  return check_sizes(at, p, nodes);
}

}  // namespace

Expected<void> check(const Cursor& at, const NodeGroup& group) {
  if (group.cpus > 1 && !at.member("intra_node"))
    return tl::unexpected(at.error(fmt::format(
        "'intra_node' is missing: nodes of {} CPUs need a latency and a bandwidth inside", group.cpus)));
  if (group.quantum.count() < TimeSlices::kShortest)
    return tl::unexpected(at.member("quantum")->expected("1us or more"));
  return {};
}

Json write_value(const NodeGroup& group) {
  return write_object(group, group.cpus > 1 ? "intra_node" : "");
}

Expected<void> check(const Cursor& at, const LinksDocument& links) {
  const bool full = links.in > 0 && links.out > 0 && links.half_duplex == 0;
  const bool half = links.in == 0 && links.out == 0 && links.half_duplex > 0;
  if (!full && !half) return tl::unexpected(at.error("expected both 'in' and 'out', or 'half_duplex' alone"));
  return {};
}

Expected<void> check(const Cursor& at, const Network& network) {
  for (std::size_t i = 1; i < network.size_classes.size(); ++i)
    if (network.size_classes[i].from <= network.size_classes[i - 1].from) {
      const auto list = *at.member("size_classes");
      const auto element = list.element(i);
      return tl::unexpected(element.member("from")->expected("a larger size than in the previous class"));
    }
  return {};
}

Expected<void> check(const Cursor& at, const FlowOptions& flow) {
  if (flow.tcp_gamma == Bytes{}) return tl::unexpected(at.member("tcp_gamma")->expected("more than 0 B"));
  if (flow.weight_size && flow.model == FlowOptions::Model::max_min)
    return tl::unexpected(at.key_error("weight_size", "shares have no weights with the model max-min"));
  return {};
}

Expected<void> check(const Cursor& at, const ModuleFactor&) {
  if (at.member("ratio") && at.member("duration"))
    return tl::unexpected(at.key_error("duration", "'duration' and 'ratio' exclude each other"));
  return {};
}

Expected<Platform> parse_platform(const Document& document) {
  const Cursor at(document);
  PlatformDocument d;
  if (auto read = read_value(at, d); !read) return tl::unexpected(std::move(read.error()));
  if (auto gathered = gather_machines(at, d); !gathered) return tl::unexpected(std::move(gathered.error()));
  for (auto& machine : d.platform.machines)
    if (machine.network.topology) find_graph_file(*machine.network.topology, document.path());
  if (auto good = check_platform(at, d.platform); !good) return tl::unexpected(std::move(good.error()));
  return std::move(d.platform);
}

Expected<Platform> parse_platform(std::string_view text, std::string path) {
  return Document::parse(std::string(text), std::move(path)).and_then([](const Document& d) {
    return parse_platform(d);
  });
}

Expected<Platform> read_platform(const std::string& path) {
  return Document::read(path).and_then([](const Document& d) { return parse_platform(d); });
}

Expected<void> apply_set(Document& document, std::string_view assignment) {
  return document.set(assignment);
}

Json to_json(const Platform& platform) {
  PlatformDocument d;
  d.platform = platform;
  // The short form has no place for a machine's name or its own collectives.
  const auto& first = platform.machines.front();
  if (platform.machines.size() == 1 && first.name.empty() && first.collectives == CollectiveTable{}) {
    d.nodes = first.nodes;
    d.network = first.network;
  } else {
    d.machines = platform.machines;
  }
  if (platform.machines.size() > 1) d.wan = platform.wan;
  return write_value(d);
}

Expected<void> read_value(const Cursor&, WrittenPlatform&) {
  return {};
}
Json write_value(const WrittenPlatform& v) {
  return to_json(v.value);
}
Json schema_of(const WrittenPlatform&) {
  PlatformDocument d;
  return schema_of(d);
}

Document document_of(const Platform& platform, std::string path) {
  return Document::of(to_json(platform), std::move(path));
}

std::string to_json_text(const Platform& platform) {
  return compact_text(to_json(platform));
}

}  // namespace busline
