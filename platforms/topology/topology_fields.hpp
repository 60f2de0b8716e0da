// A description of a network as JSON: {"kind": "torus", "dimensions": [8, 8, 16]}. Each object is described
// once (documents/fields/object.hpp); docs/reference/topology.md explains the members.
#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "platforms/topology/description.hpp"
#include "platforms/topology/topology.hpp"

namespace busline {

inline constexpr std::string_view kTopologySchema = "busline/topology/1", kGraphSchema = "busline/graph/1";

/// Names of the families, in the order of NetworkFamily, and the parameter that a short text gives without a
/// name.
struct FamilyName {
  std::string_view kind, first_parameter;
};
inline constexpr std::array<FamilyName, std::variant_size_v<NetworkFamily>> kFamilyNames{{
    {"star", "hosts"},
    {"fat-tree", "k"},
    {"kary-tree", ""},
    {"general-tree", ""},
    {"dragonfly", ""},
    {"dragonfly-plus", ""},
    {"torus", "dimensions"},
    {"mesh", "dimensions"},
    {"hypercube", "dimensions"},
    {"hyperx", "dimensions"},
    {"slim-fly", "q"},
    {"jellyfish", ""},
    {"file", "file"},
}};
inline constexpr std::array<std::pair<std::string_view, Routing>, 3> kRoutingNames{
    {{"minimal", Routing::minimal}, {"ecmp", Routing::ecmp}, {"valiant", Routing::valiant}}};

/// Reads a complete description; errors name their place.
Expected<void> read_value(const Cursor& at, TopologyDescription& out);
nlohmann::ordered_json write_value(const TopologyDescription& v);

/// A graph file's name is relative to the document that contains it; its path becomes absolute.
void find_graph_file(TopologyDescription& description, const std::string& document_path);

/// The network of the description at `at`, with errors about parameters at their places in the document.
Expected<Topology> make_topology(const Cursor& at, const TopologyDescription& description);

/// Pairs of switches.
struct SwitchPairs {
  std::vector<std::array<std::uint32_t, 2>>& value;
};
Expected<void> read_value(const Cursor& at, SwitchPairs& out);
nlohmann::ordered_json write_value(const SwitchPairs& v);

/// A description of family T.
template <class T>
struct DescriptionOf {
  T family{};
  TopologyDescription rest{};
  std::string kind{};
};

template <class Fields, class T>
void describe(Fields& f, DescriptionOf<T>& d) {
  f.optional("schema", SchemaName{kTopologySchema});  // of a separate document
  f.required("kind", d.kind);
  describe(f, d.family);
  f.optional("link", d.rest.link);
  f.optional("host_link", d.rest.host_link);
  f.optional("host_ports", Whole{d.rest.host_ports, 1, kMostHostPorts});
  f.optional("routing", Choice<Routing>{d.rest.routing, kRoutingNames});
  f.optional("seed", Whole{d.rest.seed, 0, INT64_MAX});
  f.optional("faults", d.rest.faults);
}

template <class Fields>
void describe(Fields& f, LinkFigures& l) {
  f.optional("latency", l.latency);
  f.optional("bandwidth", l.bandwidth);
}

template <class Fields>
void describe(Fields& f, NetworkFault& n) {
  f.optional("links", SwitchPairs{n.links});
  f.optional("switches", Wholes{n.switches, 0, kMostSwitches});
  f.optional("random_links", Whole{n.random_links, 0, kMostNetworkLinks});
  f.optional("random_switches", Whole{n.random_switches, 0, kMostSwitches});
  f.optional("seed", Whole{n.seed, 0, INT64_MAX});
  f.optional("bandwidth_factor", NotNegative{n.bandwidth_factor});
  f.optional("latency_factor", NotNegative{n.latency_factor});
}

template <class Fields>
void describe(Fields& f, StarNetwork& s) {
  f.required("hosts", Whole{s.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, FatTree& t) {
  f.required("k", Whole{t.k, 2, kMostSwitches});
  f.optional("taper", Whole{t.taper, 1, kMostSwitches});
}
template <class Fields>
void describe(Fields& f, KaryTree& t) {
  f.required("k", Whole{t.k, 1, kMostSwitches});
  f.required("levels", Whole{t.levels, 1, kMostSwitches});
}
template <class Fields>
void describe(Fields& f, GeneralTree& t) {
  f.required("down", Wholes{t.down, 1, kMostSwitches});
  f.required("up", Wholes{t.up, 1, kMostSwitches});
  f.optional("parallel", Wholes{t.parallel, 1, kMostSwitches});
}
template <class Fields>
void describe(Fields& f, Dragonfly& d) {
  f.required("groups", Whole{d.groups, 1, kMostSwitches});
  f.optional("chassis", Whole{d.chassis, 1, kMostSwitches});
  f.required("routers", Whole{d.routers, 1, kMostSwitches});
  f.required("hosts", Whole{d.hosts, 1, kMostHosts});
  f.required("global", Whole{d.global, 1, kMostSwitches});
  f.optional("global_link", d.global_link);
}
template <class Fields>
void describe(Fields& f, DragonflyPlus& d) {
  f.required("groups", Whole{d.groups, 1, kMostSwitches});
  f.required("leaves", Whole{d.leaves, 1, kMostSwitches});
  f.required("spines", Whole{d.spines, 1, kMostSwitches});
  f.required("hosts", Whole{d.hosts, 1, kMostHosts});
  f.required("global", Whole{d.global, 1, kMostSwitches});
  f.optional("global_link", d.global_link);
}
template <class Fields>
void describe(Fields& f, Torus& t) {
  f.required("dimensions", Wholes{t.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{t.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, Mesh& m) {
  f.required("dimensions", Wholes{m.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{m.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, Hypercube& h) {
  f.required("dimensions", Whole{h.dimensions, 1, 32});
  f.optional("hosts", Whole{h.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, HyperX& h) {
  f.required("dimensions", Wholes{h.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{h.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, SlimFly& s) {
  f.required("q", Whole{s.q, 3, kMostSwitches});
  f.required("hosts", Whole{s.hosts, 1, kMostHosts});
}
template <class Fields>
void describe(Fields& f, Jellyfish& j) {
  f.required("switches", Whole{j.switches, 4, kMostSwitches});
  f.required("degree", Whole{j.degree, 3, kMostSwitches});
  f.required("hosts", Whole{j.hosts, 1, kMostHosts});
  f.optional("graph_seed", Whole{j.seed, 0, INT64_MAX});
}
template <class Fields>
void describe(Fields& f, GraphFile& g) {
  f.required("file", g.file);
}

}  // namespace busline
