// "busline/graph/1": switches and links by name.
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "documents/fields/document.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "documents/fields/values.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/topology_fields.hpp"

namespace busline {
namespace {

struct SwitchEntry {
  std::string name;
  std::uint32_t hosts = 0;
};
struct LinkEntry {
  std::string a, b;
  std::uint32_t count = 1;
  std::optional<Duration> latency;
  std::optional<Bandwidth> bandwidth;
};
struct GraphDocument {
  std::string name;
  std::vector<SwitchEntry> switches;
  std::vector<LinkEntry> links;
};

void describe(Fields& f, SwitchEntry& s) {
  f.required("name", s.name, "The name that links use; unique among the switches.");
  f.optional("hosts", Whole{s.hosts, 0, kMostHosts}, "Hosts at this switch.");
}
void describe(Fields& f, LinkEntry& l) {
  f.required("a", l.a, "The name of a switch.");
  f.required("b", l.b, "The name of another switch.");
  f.optional("count", Whole{l.count, 1, 10'000}, "Number of equal cables between the two.");
  f.optional("latency", l.latency, "Of the link; by default that of 'link'.");
  f.optional("bandwidth", l.bandwidth, "Likewise.");
}
void describe(Fields& f, GraphDocument& g) {
  f.about(
      "docs/reference/topology.md, \"Graphs in files\". Properties that a link lacks come from 'link' of the "
      "description that names the file.");
  f.required("schema", SchemaName{kGraphSchema});
  f.optional("name", g.name, "Free text; Busline does not read it.");
  f.required("switches", g.switches,
             "Numbered from 0 in the order given; hosts likewise, those of the first switch first.");
  f.required("links", g.links, "Each carries messages in both directions at once.");
}

}  // namespace

nlohmann::ordered_json schema_of(const JsonGraph&) {
  GraphDocument graph;
  return schema_of(graph);
}

Expected<void> read_json_graph(BuildingSite& site, const std::string& path, const std::string& text) {
  const auto document = Document::parse(text, path);
  if (!document) return tl::unexpected(document.error());
  const Cursor at(*document);
  GraphDocument graph;
  if (auto read = read_value(at, graph); !read) return read;
  NetworkSize size{double(graph.switches.size()), 0, 0};
  for (const auto& s : graph.switches) size.hosts += s.hosts;
  for (const auto& l : graph.links) size.links += l.count;
  if (auto good = check_size(size); !good) return tl::unexpected(at.error(std::move(good.error().message)));

  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.switches.size(); ++i) {
    const auto& s = graph.switches[i];
    const auto number = site.add_switches_with_hosts(1, s.hosts);
    names.push_back(s.name);
    if (!numbers.emplace(s.name, number).second) {
      const auto list = *at.member("switches");
      const auto entry = list.element(i);
      return tl::unexpected(entry.member("name")->error("a switch with this name already exists"));
    }
  }
  site.builder.set_names(std::move(names));
  for (std::size_t i = 0; i < graph.links.size(); ++i) {
    const auto& l = graph.links[i];
    const auto list = *at.member("links");
    const auto entry = list.element(i);
    for (const auto& [key, name] : {std::pair{"a", &l.a}, std::pair{"b", &l.b}})
      if (!numbers.contains(*name))
        return tl::unexpected(entry.member(key)->error("there is no switch '" + printable(*name) + "'"));
    if (l.a == l.b) return tl::unexpected(entry.error("a link joins a switch to itself"));
    auto figures = site.builder.figures(site.link);
    figures.latency = l.latency.value_or(figures.latency);
    if (l.bandwidth) figures.bandwidth = l.bandwidth;
    site.builder.add_links(numbers.at(l.a), numbers.at(l.b), site.builder.add_figures(figures), l.count);
  }
  return {};
}

}  // namespace busline
