#include "platforms/topology/topology_fields.hpp"

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "platforms/topology/generate.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

Json write_description(const TopologyDescription& description, std::string_view kind) {
  return std::visit(
      [&](const auto& family) {
        DescriptionOf<std::decay_t<decltype(family)>> d;
        d.family = family;
        d.rest = description;
        d.kind = kind;
        return write_object(d);
      },
      description.family);
}

template <std::size_t I>
Expected<void> read_family(const Cursor& at, TopologyDescription& out) {
  using Family = std::variant_alternative_t<I, NetworkFamily>;
  DescriptionOf<Family> d;
  if (auto read = read_value(at, d); !read) return read;
  out = std::move(d.rest);
  out.family = std::move(d.family);
  return {};
}

template <std::size_t... I>
Expected<void> read_family(const Cursor& at, std::size_t index, TopologyDescription& out,
                           std::index_sequence<I...>) {
  Expected<void> read;
  ((I == index ? void(read = read_family<I>(at, out)) : void()), ...);
  return read;
}

}  // namespace

Expected<void> read_value(const Cursor& at, TopologyDescription& out) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object"));
  const auto kind = at.member("kind");
  if (!kind) return tl::unexpected(fields::missing(at, "kind"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kFamilyNames.size(); ++i) {
    if (kind->value() == kFamilyNames[i].kind)
      return read_family(at, i, out, std::make_index_sequence<kFamilyNames.size()>());
    names.emplace_back(kFamilyNames[i].kind);
  }
  return tl::unexpected(not_a_choice(*kind, names));
}

Json write_value(const TopologyDescription& v) {
  return write_description(v, kFamilyNames[v.family.index()].kind);
}

void find_graph_file(TopologyDescription& description, const std::string& document_path) {
  auto* graph = std::get_if<GraphFile>(&description.family);
  if (graph == nullptr) return;
  std::error_code failed;  // without a current folder the name stays as it is
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

}  // namespace busline
