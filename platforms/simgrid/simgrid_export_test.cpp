#include "platforms/simgrid/simgrid_export.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "platforms/topology/generate.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/routes.hpp"

using namespace busline;

namespace {

/// Four nodes at 1 GB/s.
Platform four_nodes() {
  Platform p;
  p.name = "four -- nodes";
  NodeGroup g;
  g.count = 4;
  g.cpus = 2;
  g.intra_node.latency = Duration::seconds(1e-6);
  g.intra_node.bandwidth = Bandwidth::bytes_per_second(8e9);
  p.machines.emplace_back();
  p.machines[0].nodes.push_back(g);
  p.machines[0].network.bandwidth = Bandwidth::bytes_per_second(1e9);
  return p;
}

Platform with_topology(NetworkFamily family) {
  auto p = four_nodes();
  auto& t = p.machines[0].network.topology.emplace();
  t.family = std::move(family);
  t.link = {Duration::seconds(1e-5), Bandwidth::bytes_per_second(1e9)};
  return p;
}

struct Written {
  std::string text;
  Diagnostics diagnostics;
  bool has(const char* part) const { return text.find(part) != text.npos; }
};

Written written(const Platform& p) {
  Written w;
  auto text = to_simgrid_xml(p, w.diagnostics);
  if (!text) FAIL(to_string(text.error()));
  w.text = *std::move(text);
  return w;
}

Topology read_back(const std::string& text) {
  BuildingSite site;
  const auto read = read_simgrid_xml(site, "net.xml", text);
  if (!read) FAIL(to_string(read.error()));
  return std::move(site.builder).build();
}

/// Links and latency of every route.
std::string ways(const Topology& t, std::uint32_t hosts) {
  const auto routes = Routes::of(t, Routing::minimal);
  REQUIRE(routes);
  std::string text;
  std::vector<std::uint32_t> way;
  for (std::uint32_t a = 0; a < hosts; ++a)
    for (std::uint32_t b = 0; b < hosts; ++b) {
      way.clear();
      routes->append(a, b, 0, way);
      Duration latency;
      std::size_t links = 0;
      for (const auto l : way) {
        latency += t.figures_of(l).latency;
        if (!(t.figures_of(l).rate(Bandwidth::unlimited()) == Bandwidth::unlimited())) ++links;
      }
      text += std::to_string(links) + ":" + std::to_string(latency.count()) + " ";
    }
  return text;
}

}  // namespace

TEST_CASE("a network that SimGrid has as a cluster is written as one, and read as the same network") {
  const auto tree = written(with_topology(GeneralTree{{2, 2}, {1, 2}, {1, 2}}));
  CHECK(tree.has("topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,2;1,2\""));
  CHECK(tree.has("radical=\"0-3\" speed=\"1Gf\" core=\"2\" bw=\"1000000000Bps\" lat=\"10us\""));
  CHECK(tree.has("<!-- four - - nodes, written by busline. -->"));
  CHECK(tree.diagnostics.empty());
  CHECK(read_back(tree.text).links() == 2 * 2 * 2);
  CHECK_FALSE(written(with_topology(StarNetwork{4})).has("topology="));
  CHECK(written(with_topology(KaryTree{2, 2})).has("\"2;2,2;1,2;1,1\""));

  auto torus = with_topology(Torus{{2, 2}, 1});
  CHECK(written(torus).has("routing=\"Full\""));  // its hosts have separate links
  torus.machines[0].network.topology->host_link = LinkFigures{{}, Bandwidth::unlimited()};
  CHECK(written(torus).has("topology=\"TORUS\" topo_parameters=\"2,2\""));
}

TEST_CASE("any other topology is written with all its routes, which read back as the same graph") {
  for (const NetworkFamily& family :
       {NetworkFamily(Mesh{{2, 2}, 1}), NetworkFamily(HyperX{{4}, 1}), NetworkFamily(Jellyfish{6, 3, 1, 3}),
        NetworkFamily(Dragonfly{2, 1, 2, 1, 1, {}})}) {
    const auto p = with_topology(family);
    const auto made = make_topology(*p.machines[0].network.topology);
    if (!made) FAIL(to_string(made.error()));
    const auto w = written(p);
    CHECK(w.has("routing=\"Full\""));
    CHECK(ways(read_back(w.text), 4) == ways(*made, 4));
  }
}

TEST_CASE("costs of messages besides links become a link of their node that limits each separately") {
  auto p = with_topology(Mesh{{2, 2}, 1});
  CHECK_FALSE(written(p).has("id=\"node-0\" bandwidth"));
  p.machines[0].network.latency = Duration::seconds(2e-6);
  CHECK(written(p).has(
      "<link id=\"node-0\" bandwidth=\"1000000000Bps\" latency=\"2us\" sharing_policy=\"FATPIPE\"/>"));
}

TEST_CASE("without a topology nodes have their links, and the buses are a backbone") {
  auto p = four_nodes();
  p.machines[0].network.latency = Duration::seconds(1e-5);
  p.machines[0].network.buses = 3;
  p.machines[0].nodes[0].links = {Links::Kind::full_duplex, 2, 1};
  const auto w = written(p);
  CHECK(
      w.has("<link id=\"node-3-in\" bandwidth=\"2000000000Bps\" latency=\"0s\" sharing_policy=\"SHARED\"/>"));
  CHECK(w.has(
      "<link id=\"node-3-out\" bandwidth=\"1000000000Bps\" latency=\"10us\" sharing_policy=\"SHARED\"/>"));
  CHECK(w.has("<host_link id=\"node-3\" up=\"node-3-out\" down=\"node-3-in\"/>"));
  CHECK(w.has("<backbone id=\"buses\" bandwidth=\"3000000000Bps\" latency=\"0s\"/>"));
  p.machines[0].nodes[0].links = {Links::Kind::full_duplex, 1, 1};
  p.machines[0].network.buses = 4;
  const auto star = written(p).text;
  CHECK(star.find("up=\"l2_UP\" down=\"l2_DOWN\"") != star.npos);
  CHECK(read_back(star).figures_of(0) ==
        LinkFigures{Duration::seconds(5e-6), Bandwidth::bytes_per_second(1e9)});
  p.machines[0].nodes[0].links = {Links::Kind::half_duplex, 1, 1};
  CHECK(written(p).has(
      "<link id=\"node-0-out\" bandwidth=\"1000000000Bps\" latency=\"5us\" sharing_policy=\"SHARED\"/>"));
}

TEST_CASE("properties that SimGrid cannot hold give warnings, and networks that are too large are refused") {
  auto p = four_nodes();
  p.machines[0].nodes[0].overheads.send = Duration::seconds(1e-6);
  p.mpi.rendezvous_from = Bytes{1};
  const auto w = written(p);
  REQUIRE(w.diagnostics.size() == 4);
  CHECK(w.diagnostics[0].message ==
        "left out, because SimGrid's files cannot hold it: overheads of messages");
  CHECK(w.has("Left out: overheads of messages.\n"));
  Diagnostics none;
  auto large = with_topology(Mesh{{30, 20}, 1});
  large.machines[0].nodes[0].count = 600;
  CHECK(to_string(to_simgrid_xml(large, none).error()) ==
        "/network/topology: 600 nodes have too many pairs for a list of their routes, expected 512 at most");
  auto small = with_topology(Mesh{{2}, 1});
  small.machines[0].nodes[0].count = 3;
  CHECK(to_string(to_simgrid_xml(small, none).error()) ==
        "/network/topology: the topology has fewer hosts than there are nodes");
  p.machines.push_back(p.machines[0]);
  CHECK(to_string(to_simgrid_xml(p, none).error()) ==
        "/machines: several machines cannot be written for SimGrid");
}
