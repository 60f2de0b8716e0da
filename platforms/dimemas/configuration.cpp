#include "platforms/dimemas/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "documents/fields/cursor.hpp"
#include "documents/fields/printable.hpp"
#include "platforms/dimemas/field_reader.hpp"

namespace busline::dimemas {
namespace {

// The values and remarks that a record's reader collects.
struct Target {
  Configuration& configuration;
  const std::string& path;
  Diagnostics& diagnostics;

  void note(std::size_t line, std::string message) const {
    diagnostics.push_back(remark(Diagnostic::Severity::note, "no-effect", std::move(message), path, line));
  }
};

template <class T>
void put_once(FieldReader& f, std::optional<At<T>>& place, T value) {
  if (place)
    f.refuse_record(fmt::format("this record is given twice, first in line {}", place->line));
  else
    place = At<T>{f.line(), std::move(value)};
}

FanModel collective_model(FieldReader& f) {
  constexpr std::array kModels{FanModel::constant, FanModel::linear, FanModel::logarithmic};
  return kModels[static_cast<std::size_t>(f.whole("collective model (1 CTE, 2 LIN, 3 LOG)", 1, 3) - 1)];
}

std::uint32_t read_whole(FieldReader& f, std::string_view what, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(f.whole(what, least, most));
}

void read_wan(FieldReader& f, Target& to) {
  WanRecord r;
  f.text("name");
  r.machines = read_whole(f, "number of machines", 1, kMaxMachines);
  r.connections = read_whole(f, "number of dedicated connections", 0, kMaxServers);
  f.whole("function of traffic (1 EXP, 2 LOG, 3 LIN, 4 CONST)", 1, 4);
  if (f.number("maximal traffic", 0) > 0)
    to.note(f.line(),
            "traffic on the WAN has no effect: Dimemas reads its weight from another file, 0 by default");
  r.bandwidth = f.megabytes("bandwidth");
  r.collectives = collective_model(f);
  put_once(f, to.configuration.wan, r);
}

void read_environment(FieldReader& f, Target& to) {
  EnvironmentRecord r;
  r.name = printable(f.text("machine name"));
  r.id = read_whole(f, "machine id", 0, kMaxMachines - 1);
  f.text("architecture");
  r.nodes = read_whole(f, "number of nodes", 1, kMaxNodes);
  r.bandwidth = f.megabytes("bandwidth");
  r.buses = f.servers("number of buses");
  r.collectives = collective_model(f);
  to.configuration.environments.push_back({f.line(), std::move(r)});
}

double cpu_ratio(FieldReader& f) {
  const auto ratio = f.number("CPU ratio", std::numeric_limits<double>::lowest());
  return ratio > 0 ? ratio : std::numeric_limits<double>::infinity();  // Dimemas, read.c: bursts take no time
}

// The twelve fields after machine and count, common to both current records of nodes.
void read_node_fields(FieldReader& f, NodeGroup& g) {
  f.text("architecture");
  g.cpus = read_whole(f, "number of CPUs", 1, kMaxServers);
  g.relative_speed = cpu_ratio(f);
  g.intra_node.latency = f.seconds("intra-node latency");
  g.intra_node.bandwidth = f.megabytes("intra-node bandwidth");
  g.intra_node.buses = f.servers("intra-node buses");
  g.intra_node.links = f.links("intra-node input links", "intra-node output links");
  g.latency = f.seconds("network latency");
  g.links = f.links("input links", "output links");
  g.wan_latency = f.seconds("WAN latency");
}

// From before Dimemas modelled contention inside a node: as many buses as CPUs, one half-duplex link per
// rank.
void read_oldest_node_fields(FieldReader& f, NodeGroup& g) {
  f.text("architecture");
  g.cpus = read_whole(f, "number of CPUs", 1, kMaxServers);
  g.links = f.links("input links", "output links");
  g.intra_node.latency = f.seconds("latency inside the node");
  g.latency = f.seconds("latency between nodes");
  g.relative_speed = cpu_ratio(f);
  g.intra_node.bandwidth = f.megabytes("memory bandwidth");
  g.wan_latency = f.seconds("WAN latency");
  g.intra_node.buses = g.cpus;
  g.intra_node.links = {Links::Kind::half_duplex, 1, 1};
}

void read_node(FieldReader& f, Target& to) {
  constexpr std::size_t kNow = 13;
  constexpr std::size_t kOldest = 11;
  NodeRecord r;
  r.machine = read_whole(f, "machine id", 0, kMaxMachines - 1);
  if (f.fields() != kNow)
    f.whole("node id", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  if (f.fields() == kOldest)
    read_oldest_node_fields(f, r.nodes);
  else
    read_node_fields(f, r.nodes);
  to.configuration.nodes.push_back({f.line(), r});
}

void read_nodes(FieldReader& f, Target& to) {
  NodeRecord r;
  r.machine = read_whole(f, "machine id", 0, kMaxMachines - 1);
  r.nodes.count = read_whole(f, "number of nodes", 1, kMaxNodes);
  read_node_fields(f, r.nodes);
  to.configuration.nodes.push_back({f.line(), r});
}

void read_mapping(FieldReader& f, Target& to) {
  Mapping m;
  m.kind = Mapping::Kind::nodes;
  f.text("trace");
  const auto tasks = f.whole("number of tasks", 1, std::numeric_limits<std::int32_t>::max());
  for (const auto node : f.list("node of each task", 0, kMaxNodes - 1))
    m.nodes.push_back(static_cast<std::uint32_t>(node));
  if (m.nodes.size() != static_cast<std::uint64_t>(tasks))
    f.refuse(fmt::format("expected {} nodes, one per task, found {}", tasks, m.nodes.size()));
  put_once(f, to.configuration.mapping, std::move(m));
}

void read_predefined_mapping(FieldReader& f, Target& to) {
  if (f.fields() == 2) f.text("trace");
  const auto text = f.text("kind of mapping");
  Mapping m;
  std::uint32_t k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (text == "FILL_NODES") {
    m.kind = Mapping::Kind::fill;
  } else if (text == "INTERLEAVED") {
    m.kind = Mapping::Kind::round_robin;
  } else if (error == std::errc{} && k >= 1 && k <= kMaxServers &&
             std::string_view(end) == " TASKS_PER_NODE") {
    m.kind = Mapping::Kind::per_node;
    m.per_node = k;
  } else {
    f.refuse(fmt::format("expected \"FILL_NODES\", \"INTERLEAVED\" or \"k TASKS_PER_NODE\", found \"{}\"",
                         printable(text)));
  }
  put_once(f, to.configuration.mapping, std::move(m));
}

void read_files(FieldReader& f, Target& to) {
  FileNames names;
  names.scheduler = f.text("scheduler file");
  if (!f.text("file system file").empty())
    to.note(f.line(), "the file system file has no effect on MPI traces");
  names.communication = f.text("communication file");
  if (!f.text("random file").empty())
    f.refuse("random variations are not supported; expected \"\"", Error::Kind::unsupported);
  put_once(f, to.configuration.files, std::move(names));
}

void read_module(FieldReader& f, Target& to) {
  ModuleFactor m;
  m.type = read_whole(f, "event type", 0, std::numeric_limits<std::uint32_t>::max());
  m.value = f.whole("event value", 1, std::numeric_limits<std::int64_t>::max());
  const auto ratio = f.number("ratio", std::numeric_limits<double>::lowest());
  if (ratio >= 0)
    m.ratio = ratio;
  else if (m.fixed = Duration::seconds(-ratio); *m.fixed > kLongestTime)
    f.refuse("expected a time of 10 days at most");
  to.configuration.modules.push_back({f.line(), m});
}

void read_file_system(FieldReader& f, Target& to) {
  const auto latency = f.number("disk latency", 0);
  const auto bandwidth = f.number("disk bandwidth", 0);
  f.number("block size", 0);
  f.whole("concurrent requests", 0, std::numeric_limits<std::int32_t>::max());
  f.number("hit ratio", 0);
  // Every .cfg has this record; only one that has been filled in is worth a remark.
  if (latency > 0 || bandwidth > 0) to.note(f.line(), "file system parameters have no effect on MPI traces");
}

DedicatedConnection::Condition read_condition(FieldReader& f, std::int64_t size, std::string_view what) {
  using Compare = DedicatedConnection::Condition::Compare;
  constexpr std::array kCompares{Compare::less, Compare::equal, Compare::greater};
  return {kCompares[f.choice(what, {"<", "=", ">"})], Bytes{static_cast<std::uint64_t>(size)}};
}

void read_connection(FieldReader& f, Target& to) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 53U;
  constexpr std::int64_t kTags = std::numeric_limits<std::int32_t>::max();
  ConnectionRecord r;
  auto& c = r.connection;
  r.id = read_whole(f, "connection id", 0, kMaxServers);
  c.machine_a = read_whole(f, "first machine", 0, kMaxMachines - 1);
  c.machine_b = read_whole(f, "second machine", 0, kMaxMachines - 1);
  c.bandwidth = f.megabytes("bandwidth");
  for (const auto tag : f.list("tags", -kTags - 1, kTags)) c.tags.push_back(static_cast<std::int32_t>(tag));
  c.first = read_condition(f, f.whole("first size", 0, kLargest), "first condition");
  c.both = f.choice("operation", {"|", "&"}) == 1;
  c.second = read_condition(f, f.whole("second size", 0, kLargest), "second condition");
  if (!f.list("communicators", std::numeric_limits<std::int32_t>::min(), kTags).empty())
    to.note(f.line(), "a dedicated connection's communicators have no effect, as in Dimemas");
  c.latency = f.seconds("latency");
  c.flight = f.seconds("flight time");
  to.configuration.connections.push_back({f.line(), std::move(r)});
}

void read_accelerators(FieldReader& f, Target&) {
  f.whole("node id", 0, kMaxNodes - 1);
  if (f.whole("number of GPUs", 0, kMaxServers) > 0)
    f.refuse("accelerators are not supported, expected 0 GPUs", Error::Kind::unsupported);
}

struct RecordKind {
  std::string_view name;
  std::array<std::size_t, 3> fields;  // permitted numbers; today's first
  void (*read)(FieldReader&, Target&);
};

constexpr std::array<RecordKind, 11> kRecordKinds{{
    {"wide area network information", {7}, read_wan},
    {"environment information", {7}, read_environment},
    {"node information", {13, 14, 11}, read_node},
    {"multi node information", {14}, read_nodes},
    {"mapping information", {3}, read_mapping},
    {"predefined mapping information", {1, 2}, read_predefined_mapping},
    {"configuration files", {4}, read_files},
    {"modules information", {3}, read_module},
    {"file system parameters", {5}, read_file_system},
    {"dedicated connection information", {13}, read_connection},
    {"accelerator node information", {7}, read_accelerators},
}};

Error unknown_record(const Record& record, const std::string& path) {
  std::vector<std::string> names;
  names.reserve(kRecordKinds.size());
  for (const auto& k : kRecordKinds) names.emplace_back(k.name);
  const auto nearest = nearest_name(names, printable(record.name));
  return error_in_line(path, record.line, {},
                       fmt::format("unknown record '{}'{}", printable(record.name),
                                   nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace

Expected<Configuration> read_configuration(const std::vector<Record>& records, const std::string& path,
                                           Diagnostics& diagnostics) {
  Configuration configuration;
  Target to{configuration, path, diagnostics};
  for (const auto& record : records) {
    const auto* kind = std::find_if(kRecordKinds.begin(), kRecordKinds.end(),
                                    [&](const auto& k) { return k.name == record.name; });
    if (kind == kRecordKinds.end()) return tl::unexpected(unknown_record(record, path));
    if (std::find(kind->fields.begin(), kind->fields.end(), record.fields.size()) == kind->fields.end())
      return tl::unexpected(
          error_in_line(path, record.line, record.name,
                        fmt::format("expected {} fields, found {}", kind->fields[0], record.fields.size())));
    FieldReader fields(record, path);
    kind->read(fields, to);
    if (fields.error()) return tl::unexpected(*fields.error());
  }
  return configuration;
}

}  // namespace busline::dimemas
