#include "platforms/topology/topology_fields.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "platforms/topology/generate.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

/// Pairs of switches.
struct SwitchPairs {
  std::vector<std::array<std::uint32_t, 2>>& value;
};
Expected<void> read_value(const Cursor& at, SwitchPairs& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list of pairs of switches"));
  out.value.clear();
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto pair = at.element(i);
    if (!pair.value().is_array() || pair.value().size() != 2)
      return tl::unexpected(pair.expected("two switches, as in [0, 1]"));
    auto& ends = out.value.emplace_back();
    for (std::size_t end = 0; end < 2; ++end) {
      Whole whole{ends[end], 0, kMostSwitches};
      if (auto read = read_value(pair.element(end), whole); !read) return read;
    }
  }
  return {};
}
Json write_value(const SwitchPairs& v) {
  return v.value;
}
Json schema_of(const SwitchPairs&) {
  Json pair{{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", whole_schema(0, kMostSwitches)}};
  return {{"type", "array"}, {"items", std::move(pair)}};
}

/// Numbers of 1 or more; the families check that there are any.
struct NotEmptyWholes {
  std::vector<std::uint32_t>& values;
};
Expected<void> read_value(const Cursor& at, NotEmptyWholes& out) {
  Wholes wholes{out.values, 1, kMostSwitches};
  return read_value(at, wholes);
}
Json write_value(const NotEmptyWholes& v) {
  return v.values;
}
Json schema_of(const NotEmptyWholes& v) {
  return with_keywords(schema_of(Wholes{v.values, 1, kMostSwitches}), R"({"minItems": 1})");
}

// Parameters that several families have.
void hosts_of_switch(Fields& f, std::uint32_t& hosts) {
  f.optional("hosts", Whole{hosts, 1, kMostHosts}, "Hosts at each switch.");
}
void dimensions_of(Fields& f, std::vector<std::uint32_t>& dimensions) {
  f.required("dimensions", NotEmptyWholes{dimensions}, "Switches along each dimension.");
}
void global_link_of(Fields& f, std::optional<LinkFigures>& link) {
  f.optional("global_link", link, "Between groups; by default as 'link'.");
}

void describe(Fields& f, StarNetwork& s) {
  f.about("All hosts at one switch.");
  f.required("hosts", Whole{s.hosts, 1, kMostHosts}, "Hosts at the switch.");
}
void describe(Fields& f, FatTree& t) {
  f.about("Three levels of switches with k ports: k^3/4 hosts.");
  f.required("k", Also{Whole{t.k, 2, kMostSwitches}, R"({"multipleOf": 2})"}, "Ports of each switch.");
  f.optional("taper", Whole{t.taper, 1, kMostSwitches}, "Ports of a leaf to hosts / ports upwards.");
}
void describe(Fields& f, KaryTree& t) {
  f.about("A k-ary n-tree: k^levels hosts.");
  f.required("k", Whole{t.k, 1, kMostSwitches},
             "Ports of a switch downwards, and as many upwards below the top.");
  f.required("levels", Whole{t.levels, 1, kMostSwitches}, "Levels of switches.");
}
void describe(Fields& f, GeneralTree& t) {
  f.about("By level from the hosts upwards: children of a switch, parents, cables to each parent.");
  f.required("down", NotEmptyWholes{t.down}, "Children of a switch, by level from the hosts upwards.");
  f.required("up", NotEmptyWholes{t.up}, "Parents of a host or a switch, likewise; the first is 1.");
  f.optional("parallel", NotEmptyWholes{t.parallel}, "Cables to each parent, likewise.");
}
void describe(Fields& f, Dragonfly& d) {
  f.about("Routers of a chassis, hosts and global links of a router.");
  f.required("groups", Whole{d.groups, 1, kMostSwitches}, "Groups of routers.");
  f.optional(
      "chassis", Whole{d.chassis, 1, kMostSwitches},
      "Chassis of a group; routers are joined within theirs and with those in the same slot of the others.");
  f.required("routers", Whole{d.routers, 1, kMostSwitches}, "Routers of a chassis.");
  f.required("hosts", Whole{d.hosts, 1, kMostHosts}, "Hosts at each router.");
  f.required("global", Whole{d.global, 1, kMostSwitches}, "Links of each router to other groups.");
  global_link_of(f, d.global_link);
}
void describe(Fields& f, DragonflyPlus& d) {
  f.about("Leaf and spine switches of a group, hosts of a leaf, global links of a spine.");
  f.required("groups", Whole{d.groups, 1, kMostSwitches}, "Groups of switches.");
  f.required("leaves", Whole{d.leaves, 1, kMostSwitches}, "Leaf switches of a group.");
  f.required("spines", Whole{d.spines, 1, kMostSwitches}, "Spine switches of a group.");
  f.required("hosts", Whole{d.hosts, 1, kMostHosts}, "Hosts at each leaf.");
  f.required("global", Whole{d.global, 1, kMostSwitches}, "Links of each spine to other groups.");
  global_link_of(f, d.global_link);
}
void describe(Fields& f, Torus& t) {
  f.about("Rings of switches in each dimension.");
  dimensions_of(f, t.dimensions);
  hosts_of_switch(f, t.hosts);
}
void describe(Fields& f, Mesh& m) {
  f.about("A torus without the wrap-around links.");
  dimensions_of(f, m.dimensions);
  hosts_of_switch(f, m.hosts);
}
void describe(Fields& f, Hypercube& h) {
  f.about("2^dimensions switches, each with a link in each dimension.");
  f.required("dimensions", Whole{h.dimensions, 1, 32}, "Number of dimensions.");
  hosts_of_switch(f, h.hosts);
}
void describe(Fields& f, HyperX& h) {
  f.about("All switches that differ in exactly one coordinate are joined.");
  dimensions_of(f, h.dimensions);
  hosts_of_switch(f, h.hosts);
}
void describe(Fields& f, SlimFly& s) {
  f.about("q is a power of a prime.");
  f.required("q", Also{Whole{s.q, 3, kMostSwitches}, R"({"maximum": 509})"},
             "A power of a prime: there are 2 q^2 switches.");
  f.required("hosts", Whole{s.hosts, 1, kMostHosts}, "Hosts at each switch.");
}
void describe(Fields& f, Jellyfish& j) {
  f.about("A random graph of equal degrees.");
  f.required("switches", Whole{j.switches, 4, kMostSwitches}, "Switches of the graph.");
  f.required("degree", Whole{j.degree, 3, kMostSwitches}, "Links of each switch to others.");
  f.required("hosts", Whole{j.hosts, 1, kMostHosts}, "Hosts at each switch.");
  f.optional("graph_seed", Whole{j.seed, 0, INT64_MAX}, "Selects one of these graphs.");
}
void describe(Fields& f, GraphFile& g) {
  f.about("Any graph: JSON (busline/graph/1), GraphML, DOT or SimGrid XML.");
  f.required("file", g.file, "Path of the file, relative to this document.");
}

// A default description of the family at `index`.
template <std::size_t... I>
NetworkFamily default_family(std::size_t index, std::index_sequence<I...>) {
  NetworkFamily family;
  ((I == index ? void(family.emplace<I>()) : void()), ...);
  return family;
}

}  // namespace

void describe(Fields& f, TopologyDocument& d) {
  auto& t = d.description;
  const auto kind = kFamilyNames[t.family.index()].kind;
  f.optional("schema", SchemaName{kTopologySchema}, "Of a separate document.");
  f.required("kind", SchemaName{kind}, "The name of the family.");
  std::visit([&](auto& family) { describe(f, family); }, t.family);
  f.optional("link", t.link, "Between switches.");
  f.optional("host_link", t.host_link, "Link of each host; by default as 'link'.");
  f.optional("host_ports", Whole{t.host_ports, 1, kMostHostPorts}, "Links of each host to its switch.");
  f.optional("routing", Choice<Routing>{t.routing, kRoutingNames},
             "One shortest route for each pair of hosts, a shortest route chosen by a hash of the message, "
             "or a route "
             "by way of a switch chosen by a hash.");
  f.optional("seed", Whole{t.seed, 0, INT64_MAX}, "Seed of the hashes that choose among routes.");
  f.optional("faults", t.faults, "What has failed or is slowed, applied in order.");
}

void describe(Fields& f, LinkFigures& l) {
  f.defined_as("platform.schema.json#/$defs/link_figures");
  f.about("Properties of a link of a network of switches.");
  f.optional("latency", l.latency, "Of each link that a message takes.");
  f.optional("bandwidth", l.bandwidth, "By default the network's.");
}

void describe(Fields& f, NetworkFault& n) {
  f.defined_as("platform.schema.json#/$defs/network_fault");
  f.about("Links and switches that have failed (bandwidth_factor 0) or are slowed.");
  f.optional("links", SwitchPairs{n.links}, "Pairs of switches.");
  f.optional("switches", Wholes{n.switches, 0, kMostSwitches}, "Numbers of switches.");
  f.optional("random_links", Whole{n.random_links, 0, kMostNetworkLinks},
             "Number of further links, chosen at random among the remaining ones.");
  f.optional("random_switches", Whole{n.random_switches, 0, kMostSwitches},
             "Number of further switches, chosen likewise.");
  f.optional("seed", Whole{n.seed, 0, INT64_MAX}, "Seed of the random choices.");
  f.optional("bandwidth_factor", NotNegative{n.bandwidth_factor},
             "Multiplies their bandwidth; for a switch, that of all its links.");
  f.optional("latency_factor", NotNegative{n.latency_factor}, "Multiplies their latency.");
}

Expected<void> read_value(const Cursor& at, TopologyDescription& out) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object"));
  const auto kind = at.member("kind");
  if (!kind) return tl::unexpected(fields::missing(at, "kind"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kFamilyNames.size(); ++i) {
    if (kind->value() == kFamilyNames[i].kind) {
      TopologyDocument d;
      d.description.family = default_family(i, std::make_index_sequence<kFamilyNames.size()>());
      if (auto read = read_value(at, d); !read) return read;
      out = std::move(d.description);
      return {};
    }
    names.emplace_back(kFamilyNames[i].kind);
  }
  return tl::unexpected(not_a_choice(*kind, names));
}

Json write_value(const TopologyDescription& v) {
  TopologyDocument d{v}, defaults;
  defaults.description.family =
      default_family(v.family.index(), std::make_index_sequence<kFamilyNames.size()>());
  return fields::write(fields::Object(d), fields::write(fields::Object(defaults)), {});
}

Json schema_of(const TopologyDescription&) {
  std::vector<Json> families;
  for (std::size_t i = 0; i < kFamilyNames.size(); ++i) {
    TopologyDocument d;
    d.description.family = default_family(i, std::make_index_sequence<kFamilyNames.size()>());
    families.push_back(schema_of(d));
  }
  auto topology = one_schema_of(std::move(families));
  topology["description"] = "The switches of a network; docs/reference/topology.md explains the families.";
  return fields::definition("platform.schema.json#/$defs/topology", std::move(topology));
}

Json schema_of(const SeparateTopology&) {
  auto topology = schema_of(TopologyDescription());
  topology["description"] =
      "docs/reference/topology.md explains the families. Same content as the member network.topology of a "
      "platform, in a separate document.";
  return with_keywords(
      std::move(topology),
      R"({"required": ["schema"], "properties": {"schema": {"const": "busline/topology/1"}}})");
}

void find_graph_file(TopologyDescription& description, const std::string& document_path) {
  auto* graph = std::get_if<GraphFile>(&description.family);
  if (graph == nullptr) return;
  std::error_code failed;  // without a current folder the name stays unchanged
  const auto folder = std::filesystem::absolute(std::filesystem::path(document_path).parent_path(), failed);
  if (!failed) graph->file = (folder / graph->file).lexically_normal().string();
}

Expected<Topology> make_topology(const Cursor& at, const TopologyDescription& description) {
  auto made = make_topology(description);
  if (made || !made.error().path.empty()) return made;
  auto& e = made.error();
  auto placed = at.error_within(e.where, std::move(e.message));
  if (e.kind != Error::Kind::bad_input) placed.kind = e.kind;
  return tl::unexpected(std::move(placed));
}

}  // namespace busline
