// Fuzz targets: networks of switches, described or in files of other programs.
#pragma once
#include <string>
#include <string_view>

#include "documents/fields/document.hpp"

namespace busline::fuzz {

/// A description of a family: written again it is the same, and a small one can be made. `text` is where its
/// numbers stand.
std::string fault_in_described_network(const Document& document, std::string_view text);
/// The same of a document.
std::string fault_in_topology(std::string_view text);

// Graphs: each edge joins two switches that there are.
std::string fault_in_json_graph(std::string_view text);
std::string fault_in_graphml(std::string_view text);
std::string fault_in_dot(std::string_view text);
std::string fault_in_simgrid_xml(std::string_view text);

}  // namespace busline::fuzz
