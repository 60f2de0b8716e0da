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

void describe(Fields& f, StarNetwork& s) {
  f.required("hosts", Whole{s.hosts, 1, kMostHosts});
}
void describe(Fields& f, FatTree& t) {
  f.required("k", Whole{t.k, 2, kMostSwitches});
  f.optional("taper", Whole{t.taper, 1, kMostSwitches});
}
void describe(Fields& f, KaryTree& t) {
  f.required("k", Whole{t.k, 1, kMostSwitches});
  f.required("levels", Whole{t.levels, 1, kMostSwitches});
}
void describe(Fields& f, GeneralTree& t) {
  f.required("down", Wholes{t.down, 1, kMostSwitches});
  f.required("up", Wholes{t.up, 1, kMostSwitches});
  f.optional("parallel", Wholes{t.parallel, 1, kMostSwitches});
}
void describe(Fields& f, Dragonfly& d) {
  f.required("groups", Whole{d.groups, 1, kMostSwitches});
  f.optional("chassis", Whole{d.chassis, 1, kMostSwitches});
  f.required("routers", Whole{d.routers, 1, kMostSwitches});
  f.required("hosts", Whole{d.hosts, 1, kMostHosts});
  f.required("global", Whole{d.global, 1, kMostSwitches});
  f.optional("global_link", d.global_link);
}
void describe(Fields& f, DragonflyPlus& d) {
  f.required("groups", Whole{d.groups, 1, kMostSwitches});
  f.required("leaves", Whole{d.leaves, 1, kMostSwitches});
  f.required("spines", Whole{d.spines, 1, kMostSwitches});
  f.required("hosts", Whole{d.hosts, 1, kMostHosts});
  f.required("global", Whole{d.global, 1, kMostSwitches});
  f.optional("global_link", d.global_link);
}
void describe(Fields& f, Torus& t) {
  f.required("dimensions", Wholes{t.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{t.hosts, 1, kMostHosts});
}
void describe(Fields& f, Mesh& m) {
  f.required("dimensions", Wholes{m.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{m.hosts, 1, kMostHosts});
}
void describe(Fields& f, Hypercube& h) {
  f.required("dimensions", Whole{h.dimensions, 1, 32});
  f.optional("hosts", Whole{h.hosts, 1, kMostHosts});
}
void describe(Fields& f, HyperX& h) {
  f.required("dimensions", Wholes{h.dimensions, 1, kMostSwitches});
  f.optional("hosts", Whole{h.hosts, 1, kMostHosts});
}
void describe(Fields& f, SlimFly& s) {
  f.required("q", Whole{s.q, 3, kMostSwitches});
  f.required("hosts", Whole{s.hosts, 1, kMostHosts});
}
void describe(Fields& f, Jellyfish& j) {
  f.required("switches", Whole{j.switches, 4, kMostSwitches});
  f.required("degree", Whole{j.degree, 3, kMostSwitches});
  f.required("hosts", Whole{j.hosts, 1, kMostHosts});
  f.optional("graph_seed", Whole{j.seed, 0, INT64_MAX});
}
void describe(Fields& f, GraphFile& g) {
  f.required("file", g.file);
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
  f.optional("schema", SchemaName{kTopologySchema});  // of a separate document
  f.required("kind", d.kind);
  std::visit([&](auto& family) { describe(f, family); }, t.family);
  f.optional("link", t.link);
  f.optional("host_link", t.host_link);
  f.optional("host_ports", Whole{t.host_ports, 1, kMostHostPorts});
  f.optional("routing", Choice<Routing>{t.routing, kRoutingNames});
  f.optional("seed", Whole{t.seed, 0, INT64_MAX});
  f.optional("faults", t.faults);
}

void describe(Fields& f, LinkFigures& l) {
  f.optional("latency", l.latency);
  f.optional("bandwidth", l.bandwidth);
}

void describe(Fields& f, NetworkFault& n) {
  f.optional("links", SwitchPairs{n.links});
  f.optional("switches", Wholes{n.switches, 0, kMostSwitches});
  f.optional("random_links", Whole{n.random_links, 0, kMostNetworkLinks});
  f.optional("random_switches", Whole{n.random_switches, 0, kMostSwitches});
  f.optional("seed", Whole{n.seed, 0, INT64_MAX});
  f.optional("bandwidth_factor", NotNegative{n.bandwidth_factor});
  f.optional("latency_factor", NotNegative{n.latency_factor});
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
  TopologyDocument d{v, std::string(kFamilyNames[v.family.index()].kind)}, defaults;
  defaults.description.family =
      default_family(v.family.index(), std::make_index_sequence<kFamilyNames.size()>());
  return fields::write(fields::Object(d), fields::write(fields::Object(defaults)), {});
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
