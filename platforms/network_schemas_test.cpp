// The JSON Schemas of networks, which other programs use, must match what this program reads.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "platforms/load_topology.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/topology_fields.hpp"

using namespace busline;

namespace {

// With every member of a link and of a switch.
constexpr const char* kGraph = R"({"schema": "busline/graph/1", "name": "pair",
  "switches": [{"name": "a", "hosts": 2}, {"name": "b", "hosts": 1}],
  "links": [{"a": "a", "b": "b", "count": 3, "latency": "2us", "bandwidth": "4 GB/s"}]})";
constexpr const char* kTorus = R"({"schema": "busline/topology/1", "kind": "torus", "dimensions": [2, 3],
  "hosts": 2, "link": {"latency": "100ns", "bandwidth": "10 GB/s"}, "host_link": {"latency": "50ns"},
  "host_ports": 2, "routing": "ecmp", "seed": 7})";

}  // namespace

TEST_CASE("the schemas of networks are those that are generated from their descriptions") {
  check_generated<SeparateTopology>(
      BUSLINE_SOURCE_DIR "/platforms", "topology",
      "A network of switches: a family and its parameters, or a graph in a file");
  check_generated<JsonGraph>(BUSLINE_SOURCE_DIR "/platforms", "graph",
                             "Any network, as a list of switches and a list of links between them");
}

TEST_CASE("the schemas of networks take what the reader takes, and refuse what it refuses") {
  const auto folder = std::filesystem::temp_directory_path() / "busline_network_schemas_test";
  std::filesystem::create_directories(folder);
  const auto path = (folder / "network.json").string();
  const auto is_read = [&path](const std::string& text) {
    std::ofstream(path) << text;
    return load_topology(path, {}).has_value();
  };
  for (const auto& network : {std::pair<std::string, const char*>{"graph", kGraph}, {"topology", kTorus}}) {
    CAPTURE(network.first);
    const auto schema = read_schema(BUSLINE_SOURCE_DIR "/platforms", network.first);
    CHECK(disagreements(schema, nlohmann::json::parse(network.second), is_read) ==
          std::vector<std::string>());
  }
  std::filesystem::remove_all(folder);
}
