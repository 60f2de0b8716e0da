// Networks from graph files, of other programs or in Busline's format (docs/reference/topology.md).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platforms/topology/families.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Adds the file's network, in a format chosen by the end of its name: .json ("busline/graph/1"), .graphml,
/// .dot or .gv, .xml (SimGrid). Errors name file and line (DOT: without line), what was expected, and what
/// this version cannot read. Cost: linear.
Expected<void> read_graph(BuildingSite& site, const std::string& path);

// Readers of the formats: `text` is the file's content.
Expected<void> read_json_graph(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_graphml(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_dot(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_simgrid_xml(BuildingSite& site, const std::string& path, const std::string& text);

/// A document "busline/graph/1", for its schema.
struct JsonGraph {};
nlohmann::ordered_json schema_of(const JsonGraph&);

/// Whether this program was built with Boost.Graph's library, which read_dot needs.
bool can_read_dot();

}  // namespace busline
