// The data that readers of graph files gather, and its conversion to a network.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platforms/topology/families.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// The byte of the file where a node or an edge begins, if the reader knows it.
using FilePlace = std::optional<std::size_t>;

struct GraphNode {
  std::string name;
  std::optional<std::uint32_t> hosts;
  bool is_host = false;
  FilePlace place;
};
struct GraphEdge {
  std::uint32_t a = 0, b = 0;  ///< nodes
  std::uint32_t count = 1;
  std::optional<Duration> latency;
  std::optional<Bandwidth> bandwidth;
  FilePlace place;
};

/// A graph file's nodes and edges. Attributes are texts, which the reader passes on unchanged.
class GraphParts {
 public:
  GraphParts(std::string path, const std::string& text) : path_(std::move(path)), text_(text) {}

  /// An Error if the name is taken or empty, or there are too many.
  Expected<void> add_node(std::string name, FilePlace place);
  /// An Error if no node has that name.
  Expected<void> add_edge(const std::string& a, const std::string& b, FilePlace place);
  /// Attributes of the last node or edge: "hosts" and "type", or "latency", "bandwidth" and "count". Others
  /// are ignored. An Error if the value is not valid.
  Expected<void> set_node(std::string_view attribute, const std::string& value);
  Expected<void> set_edge(std::string_view attribute, const std::string& value);

  /// Switches, hosts and links. A node of type "host" is a host of the one switch that it has an edge to;
  /// other nodes are switches with `hosts` hosts: 0 by default if any node states hosts, else 1.
  Expected<void> build(BuildingSite& site) const;

  Error error(FilePlace place, std::string message) const;

 private:
  Expected<std::uint32_t> find(const std::string& name, FilePlace place) const;
  Expected<void> build_hosts(BuildingSite& site, const std::vector<std::uint32_t>& number) const;

  std::string path_;
  const std::string& text_;
  std::vector<GraphNode> nodes_;
  std::vector<GraphEdge> edges_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

}  // namespace busline
