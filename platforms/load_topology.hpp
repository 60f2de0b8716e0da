// A network as the command line names it: a short text, a document of its own, a platform that has one, or a
// graph.
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
  /// The network's bandwidth, if it is a platform's: that of links without their own.
  std::optional<Bandwidth> of_network;
  bool from_file = false;
};

/// `name` is "torus:8x8x16" (short_text.hpp); the path of a .json document "busline/topology/1", of a
/// platform with one machine whose network has a topology, or of a graph (graph_file.hpp). `sets` change a
/// description, or a platform:
/// "/seed=4". Errors name the file or the text, and the place in it.
Expected<LoadedTopology> load_topology(const std::string& name, const std::vector<std::string>& sets);

}  // namespace busline
