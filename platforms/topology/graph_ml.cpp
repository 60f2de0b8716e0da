// GraphML (graphml.graphdrawing.org): nodes, edges, and the attributes that keys declare. Read with pugixml
// rather than Boost.Graph, which does not locate errors in a file.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>

#include "documents/fields/printable.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/graph_parts.hpp"

namespace busline {
namespace {

FilePlace place_of(const pugi::xml_node& node) {
  return static_cast<std::size_t>(node.offset_debug());
}

// <data key="d3">4</data> below a node or an edge: by the names that the keys have.
template <class Set>
Expected<void> read_data(const pugi::xml_node& of, const std::map<std::string, std::string>& names, Set set) {
  for (const auto& data : of.children("data")) {
    const auto name = names.find(data.attribute("key").value());
    if (name == names.end()) continue;
    if (auto done = set(name->second, std::string(data.text().get())); !done) return done;
  }
  return {};
}

}  // namespace

Expected<void> read_graphml(BuildingSite& site, const std::string& path, const std::string& text) {
  GraphParts parts(path, text);
  pugi::xml_document document;
  const auto parsed = document.load_buffer(text.data(), text.size());
  if (!parsed)
    return tl::unexpected(
        parts.error(static_cast<std::size_t>(parsed.offset), fmt::format("XML: {}", parsed.description())));
  const auto root = document.child("graphml");
  const auto graph = root.child("graph");
  if (!graph) return tl::unexpected(parts.error(0, "expected <graphml> with a <graph> in it"));
  if (std::string_view(graph.attribute("edgedefault").value()) == "directed")
    return tl::unexpected(parts.error(place_of(graph),
                                      "the graph is directed, expected edgedefault=\"undirected\": links "
                                      "go both ways"));
  std::map<std::string, std::string> names;
  for (const auto& key : root.children("key"))
    names[key.attribute("id").value()] = key.attribute("attr.name").value();
  for (const auto& node : graph.children("node")) {
    if (auto added = parts.add_node(node.attribute("id").value(), place_of(node)); !added) return added;
    auto set = [&](const std::string& name, const std::string& value) { return parts.set_node(name, value); };
    if (auto read = read_data(node, names, set); !read) return read;
  }
  for (const auto& edge : graph.children("edge")) {
    if (auto added = parts.add_edge(edge.attribute("source").value(), edge.attribute("target").value(),
                                    place_of(edge));
        !added)
      return added;
    auto set = [&](const std::string& name, const std::string& value) { return parts.set_edge(name, value); };
    if (auto read = read_data(edge, names, set); !read) return read;
  }
  return parts.build(site);
}

}  // namespace busline
