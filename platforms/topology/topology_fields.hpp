// A description of a network as JSON: {"kind": "torus", "dimensions": [8, 8, 16]}. Each object is described
// once (documents/fields/object.hpp); docs/reference/topology.md explains the members.
#pragma once
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"
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
nlohmann::ordered_json schema_of(const TopologyDescription&);

/// A graph file's name is relative to the document that contains it; its path becomes absolute.
void find_graph_file(TopologyDescription& description, const std::string& document_path);

/// The network of the description at `at`, with errors about parameters at their places in the document.
Expected<Topology> make_topology(const Cursor& at, const TopologyDescription& description);

/// A description as the document lays it out: with the members of its family.
struct TopologyDocument {
  TopologyDescription description{};
};

/// A description in a document of its own, for its schema.
struct SeparateTopology {};
nlohmann::ordered_json schema_of(const SeparateTopology&);

void describe(Fields& f, TopologyDocument& d);
void describe(Fields& f, LinkFigures& l);
void describe(Fields& f, NetworkFault& n);

}  // namespace busline
