#include "platforms/load_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "documents/fields/document.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "platforms/description/platform_fields.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/topology/generate.hpp"
#include "platforms/topology/short_text.hpp"
#include "platforms/topology/topology_fields.hpp"

namespace busline {
namespace {

// Names of graph files are relative to the folder of the file `folder_of`.
Expected<LoadedTopology> from_description(const Document& document, const std::string& folder_of) {
  LoadedTopology loaded;
  const Cursor at(document);
  if (auto read = read_value(at, loaded.description); !read) return tl::unexpected(std::move(read.error()));
  find_graph_file(loaded.description, folder_of);
  auto made = make_topology(at, loaded.description);
  if (!made) return tl::unexpected(std::move(made.error()));
  loaded.topology = *std::move(made);
  return loaded;
}

Expected<LoadedTopology> from_platform(const Document& document) {
  auto platform = parse_platform(document);
  if (!platform) return tl::unexpected(std::move(platform.error()));
  if (platform->machines.size() != 1 || !platform->machines[0].network.topology) {
    return refuse_file(Error::Kind::bad_input, document.path(),
                       platform->machines.size() > 1
                           ? "this platform has several machines, expected one whose network has a 'topology'"
                           : "this platform's network has no 'topology'",
                       "docs/reference/topology.md explains how to describe one");
  }
  LoadedTopology loaded;
  const auto& network = platform->machines[0].network;
  loaded.description = *network.topology;
  loaded.of_network = network.bandwidth;
  auto made = make_topology(loaded.description);
  if (!made) return tl::unexpected(std::move(made.error()));
  loaded.topology = *std::move(made);
  return loaded;
}

Error unknown(const std::string& name) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = printable(name);
  std::vector<std::string> kinds;
  for (const auto& f : kFamilyNames) kinds.emplace_back(f.kind);
  const auto nearest = nearest_name(kinds, name.substr(0, name.find(':')));
  e.message = fmt::format("neither a file nor a family of networks{}",
                          nearest.empty() ? "" : fmt::format("; did you mean '{}:'?", nearest));
  e.hint = fmt::format("families are {}", fmt::join(kinds, ", "));
  return e;
}

// A graph file is described by its name.
Document graph(const std::string& path) {
  return Document::of({{"kind", "file"}, {"file", std::filesystem::path(path).filename().string()}}, path);
}

Expected<Document> read(const std::string& path) {
  if (std::filesystem::path(path).extension() != ".json") return graph(path);
  auto document = Document::read(path);
  if (!document) return document;
  const Cursor at(*document);
  const auto schema = at.member("schema");
  if (!schema)
    return tl::unexpected(at.error(fmt::format("'schema' is missing, such as \"{}\"", kTopologySchema)));
  if (schema->value() == kGraphSchema) return graph(path);
  return document;
}

}  // namespace

Expected<LoadedTopology> load_topology(const std::string& name, const std::vector<std::string>& sets) {
  const bool is_short = is_short_topology(name);
  if (std::error_code none; !is_short && !std::filesystem::exists(name, none))
    return tl::unexpected(unknown(name));
  auto document = is_short ? parse_short_topology(name).map([&](nlohmann::ordered_json description) {
    return Document::of(std::move(description), name);
  })
                           : read(name);
  if (!document) return tl::unexpected(std::move(document.error()));
  for (const auto& s : sets)
    if (auto set = document->set(s); !set) return tl::unexpected(std::move(set.error()));
  const Cursor at(*document);
  const auto schema = at.member("schema");
  auto loaded = schema && schema->value() == kPlatformSchema
                    ? from_platform(*document)
                    : from_description(*document, is_short ? "" : name);
  if (loaded)
    loaded->from_file = !is_short;
  else if (is_short && loaded.error().kind == Error::Kind::bad_input && loaded.error().path == name)
    loaded.error().kind = Error::Kind::bad_option;  // of the command line, not of a file
  return loaded;
}

}  // namespace busline
