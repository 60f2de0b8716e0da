// Loads a network as named on the command line: a short text, a separate document, a platform that has one,
// or a graph.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct LoadedTopology {
  TopologyDescription description;
  Topology topology;
  /// The network's bandwidth, if it belongs to a platform: the default for its links.
  std::optional<Bandwidth> of_network;
  bool from_file = false;
};

/// `name` is "torus:8x8x16" (short_text.hpp); the path of a .json document "busline/topology/1", of a
/// platform with one machine whose network has a topology, or of a graph (graph_file.hpp). `sets` change a
/// description, or a platform:
/// "/seed=4". Errors name the file or the text, and the place in it.
Expected<LoadedTopology> load_topology(const std::string& name, const std::vector<std::string>& sets);

}  // namespace busline
