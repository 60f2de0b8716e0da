#include "platforms/load_topology.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/description/platform_json.hpp"
#include "platforms/topology/short_text.hpp"

using namespace busline;

namespace {

std::string load_error(const std::string& name, const std::vector<std::string>& sets = {}) {
  const auto t = load_topology(name, sets);
  return t ? "loaded" : to_string(t.error());
}

// A platform of `nodes` nodes on `topology`.
std::string platform(int nodes, const std::string& topology) {
  return R"({"schema": "busline/platform/1", "name": "p",
"nodes": [{"count": )" +
         std::to_string(nodes) + R"(, "cpus": 1}],
"network": {"latency": "1us", "bandwidth": "1 GB/s", "buses": 4,
"topology": )" +
         topology + "}}";
}

std::string platform_error(int nodes, const std::string& topology) {
  const auto p = parse_platform(platform(nodes, topology), "p.json");
  return p ? "parsed" : to_string(p.error());
}

}  // namespace

TEST_CASE("a short text gives the same description as JSON") {
  const auto json = [](const char* text) {
    const auto parsed = parse_short_topology(text);
    return parsed ? parsed->dump() : to_string(parsed.error());
  };
  CHECK(json("torus:8x8x16") == R"({"kind":"torus","dimensions":[8,8,16]})");
  CHECK(json("torus:8") == R"({"kind":"torus","dimensions":[8]})");
  CHECK(json("hypercube:8") == R"({"kind":"hypercube","dimensions":8})");
  CHECK(json("general-tree:down=4x4,up=1x2") == R"({"kind":"general-tree","down":[4,4],"up":[1,2]})");
  CHECK(
      json("fat-tree:16,taper=2,link.bandwidth=100Gbps,link.latency=90ns,routing=ecmp") ==
      R"({"kind":"fat-tree","k":16,"taper":2,"link":{"bandwidth":"100Gbps","latency":"90ns"},"routing":"ecmp"})");
  CHECK(json("torus:8,4").substr(0, 47) == "torus:8,4: '4': expected PARAMETER=VALUE\n  such");
  CHECK(json("dragonfly:8").substr(0, 33) == "dragonfly:8: '8': expected PARAME");
  CHECK(json("torus:4,hosts=2,hosts=3").find("'hosts' is given twice") != std::string::npos);
  CHECK(json("torus:4,hosts=2,hosts.x=3").find("'hosts.x' is given twice") != std::string::npos);
  CHECK(json("ring:4") ==
        "ring:4: expected a family of networks, ':' and its parameters\n"
        "  such as torus:8x8x16 or fat-tree:k=16,taper=2 (docs/reference/topology.md)");
  CHECK(json("torus:").find("expected PARAMETER=VALUE") != std::string::npos);
}

TEST_CASE("a network can be named on the command line, and its description changed") {
  const auto t = load_topology("torus:4x4,hosts=2", {"/dimensions=[3,3]", "/routing=ecmp"});
  REQUIRE(t);
  CHECK(t->topology.hosts() == 18);
  CHECK(t->description.routing == Routing::ecmp);
  CHECK_FALSE(t->from_file);
}

TEST_CASE("errors in a short text name the text and the place") {
  CHECK(load_error("fat-tree:k=5") == "fat-tree:k=5: /k: expected an even number of ports, found 5");
  CHECK(load_error("fat-tree:k=two") ==
        "fat-tree:k=two: /k: expected a whole number from 2 to 1000000, found \"two\"");
  CHECK(load_error("torus:8x8,host=2") ==
        "torus:8x8,host=2: /host: unknown key 'host'; did you mean 'hosts'?");
  CHECK(load_error("torus:8x8", {"/faults=[{\"links\":[[0,1],[0,9]]}]"}) ==
        "--set /faults: /faults/0/links/1: [{\"links\":[[0,1],[0,9]]}]: no link joins switches 0 and 9");
  CHECK(load_error("torsu:8x8")
            .find("torsu:8x8: neither a file nor a family of networks; did you mean 'torus:'?") == 0);
}

TEST_CASE("a platform's nodes are the hosts of its topology, and there are enough of them") {
  const auto p = parse_platform(platform(16, R"({"kind": "torus", "dimensions": [4, 4], "routing": "valiant",
"host_link": {"bandwidth": "2 GB/s"}, "faults": [{"links": [[0, 1]], "bandwidth_factor": 0.5}]})"),
                                "p.json");
  if (!p) FAIL(to_string(p.error()));
  REQUIRE(p->machines[0].network.topology);
  CHECK(p->machines[0].network.topology->faults.at(0).bandwidth_factor == 0.5);
  CHECK(parse_platform(to_json_text(*p), "back.json") == *p);
  CHECK(platform_error(17, R"({"kind": "torus", "dimensions": [4, 4]})") ==
        "p.json:4:13: /network/topology: this network has 16 hosts, expected one for each of the 17 nodes or "
        "more");
}

TEST_CASE("an error in a platform's topology has its line and column") {
  CHECK(
      platform_error(1, R"({"kind": "tree"})") ==
      "p.json:4:22: /network/topology/kind: expected one of \"star\", \"fat-tree\", \"kary-tree\", "
      "\"general-tree\", \"dragonfly\", \"dragonfly-plus\", \"torus\", \"mesh\", \"hypercube\", \"hyperx\", "
      "\"slim-fly\", \"jellyfish\", \"file\", found \"tree\"");
  CHECK(platform_error(1, R"({"kind": "slim-fly", "q": 6, "hosts": 1})") ==
        "p.json:4:39: /network/topology/q: expected a power of a prime from 3 to 509, such as 5, 7, 8, 9, "
        "11, 13, "
        "17; found 6");
  CHECK(platform_error(1, R"({"kind": "torus", "dimensions": [4], "faults": [{"links": [[0, 1], [2]]}]})") ==
        "p.json:4:80: /network/topology/faults/0/links/1: expected two switches, as in [0, 1], found a list");
  CHECK(platform_error(1, R"({"kind": "torus"})") ==
        "p.json:4:13: /network/topology: 'dimensions' is missing");
}

TEST_CASE("a platform with a topology is a network that can be shown") {
  const auto folder = std::filesystem::temp_directory_path() / "busline_load_topology_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const auto whole = write("p.json", platform(3, R"({"kind": "star", "hosts": 4})"));
  const auto t = load_topology(whole, {"/network/topology/hosts=5"});
  if (!t) FAIL(to_string(t.error()));
  CHECK(t->topology.hosts() == 5);
  CHECK(t->of_network == Bandwidth::bytes_per_second(1e9));
  CHECK(t->from_file);
  const auto own = write("t.json", R"({"schema": "busline/topology/1", "kind": "star", "hosts": 4})");
  CHECK(load_topology(own, {})->topology.hosts() == 4);
  const auto bare = write("bare.json", R"({"kind": "star", "hosts": 4})");
  CHECK(load_error(bare) == bare + ":1:1: 'schema' is missing, such as \"busline/topology/1\"");
  const auto none =
      write("none.json", R"({"schema": "busline/platform/1", "name": "p", "nodes": [{"cpus": 1}],
"network": {"latency": "1us", "bandwidth": "1 GB/s", "buses": 4}})");
  CHECK(load_error(none).find("this platform's network has no 'topology'") != std::string::npos);
  std::filesystem::remove_all(folder);
}
