#include "tests/fuzz/networks.hpp"

#include <fmt/format.h>

#include <utility>

#include "documents/fields/object.hpp"
#include "platforms/topology/generate.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "tests/fuzz/faults.hpp"

namespace busline::fuzz {
namespace {

// A few digits ask for a million switches, which are made, and take the time and the memory that they take.
// What is fuzzed is how texts are read.
bool has_long_number(std::string_view text, std::size_t digits) {
  std::size_t length = 0;
  for (const char c : text) {
    length = c >= '0' && c <= '9' ? length + 1 : 0;
    if (length > digits) return true;
  }
  return false;
}

std::string fault_in_network(const Topology& made) {
  for (std::uint32_t l = 0; l < made.links(); ++l)
    if (made.link(l).a >= made.switches() || made.link(l).b >= made.switches())
      return fmt::format("link {} leads to a switch that does not exist", l);
  for (std::uint32_t h = 0; h < made.hosts(); ++h)
    if (made.switch_of(h) >= made.switches()) return fmt::format("host {} has no switch", h);
  return {};
}

using GraphReader = Expected<void> (*)(BuildingSite&, const std::string&, const std::string&);

std::string fault_in_graph(std::string_view text, GraphReader read) {
  if (has_long_number(text, 4)) return {};
  BuildingSite site;
  site.link = site.host_link = site.builder.add_figures({});
  const std::string copy(text);
  if (const auto done = read(site, kInput, copy); !done) return fault_in_error(done.error(), text);
  return fault_in_network(std::move(site.builder).build());
}

}  // namespace

std::string fault_in_described_network(const Document& document, std::string_view text) {
  TopologyDescription description;
  const Cursor at(document);
  if (const auto read = read_value(at, description); !read) return fault_in_error(read.error(), text);
  const auto again = Document::of(write_value(description), kInput);
  TopologyDescription same;
  if (const auto read = read_value(Cursor(again), same); !read)
    return "the written document cannot be read: " + to_string(read.error());
  if (!(same == description)) return "it changes when it is written and read";
  if (std::holds_alternative<GraphFile>(description.family) || has_long_number(text, 1)) return {};
  const auto made = make_topology(at, description);
  return made ? fault_in_network(*made) : fault_in_error(made.error(), text);
}

std::string fault_in_topology(std::string_view text) {
  const auto document = Document::parse(std::string(text), kInput);
  if (!document) return fault_in_error(document.error(), text);
  return fault_in_described_network(*document, text);
}

std::string fault_in_json_graph(std::string_view text) {
  return fault_in_graph(text, read_json_graph);
}

std::string fault_in_graphml(std::string_view text) {
  return fault_in_graph(text, read_graphml);
}

std::string fault_in_dot(std::string_view text) {
  return fault_in_graph(text, read_dot);
}

std::string fault_in_simgrid_xml(std::string_view text) {
  return fault_in_graph(text, read_simgrid_xml);
}

}  // namespace busline::fuzz
