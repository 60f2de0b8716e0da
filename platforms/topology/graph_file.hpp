// Networks out of files of other programs, and of one's own (docs/reference/topology.md).
#pragma once
#include <string>

#include "platforms/topology/families.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Adds what the file holds, by the end of its name: .json ("busline/graph/1"), .graphml, .dot or .gv, .xml
/// (SimGrid). Errors name file and line (DOT: without line), what was expected, and what this version does
/// not read. Cost: linear.
Expected<void> read_graph(BuildingSite& site, const std::string& path);

// The single formats: `text` is the file's content.
Expected<void> read_json_graph(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_graphml(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_dot(BuildingSite& site, const std::string& path, const std::string& text);
Expected<void> read_simgrid_xml(BuildingSite& site, const std::string& path, const std::string& text);

/// Whether this program was built with what read_dot takes, Boost.Graph's library.
bool can_read_dot();

}  // namespace busline
