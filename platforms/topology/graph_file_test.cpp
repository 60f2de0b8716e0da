#include "platforms/topology/graph_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "platforms/topology/graph_parts.hpp"
#include "platforms/topology/hop_counts.hpp"
#include "platforms/topology/test_networks.hpp"

using namespace busline;

namespace {

using Read = Expected<void> (*)(BuildingSite&, const std::string&, const std::string&);

Expected<Topology> network(Read read, const std::string& text) {
  BuildingSite site;
  site.link = site.host_link = site.builder.add_figures({Duration::picoseconds(5), {}});
  auto done = read(site, "net", text);
  if (!done) return tl::unexpected(std::move(done.error()));
  return std::move(site.builder).build();
}

Topology good(Read read, const std::string& text) {
  auto t = network(read, text);
  if (!t) FAIL(to_string(t.error()));
  return *std::move(t);
}

std::string error(Read read, const std::string& text) {
  const auto t = network(read, text);
  return t ? "read" : to_string(t.error());
}

std::string cluster(const std::string& attributes) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"1Gf\" " +
         attributes + "/>\n</platform>\n";
}

// Two switches a and b with 2 and 1 hosts, 3 cables between them, of 2 us and 4 GB/s.
void check_pair(const Topology& t) {
  REQUIRE(t.switches() == 2);
  CHECK(t.name_of(0) == "a");
  CHECK(t.name_of(1) == "b");
  REQUIRE(t.hosts() == 3);
  CHECK(t.switch_of(1) == 0);
  CHECK(t.switch_of(2) == 1);
  CHECK(t.links() == 3);
  CHECK(t.figures_of(0) == LinkFigures{Duration::seconds(2e-6), Bandwidth::bytes_per_second(4e9)});
  CHECK(t.figures_of(t.host_up(0)).latency == Duration::picoseconds(5));
}

}  // namespace

TEST_CASE("a graph in JSON, GraphML and DOT is the same network") {
  check_pair(good(read_json_graph, R"({"schema": "busline/graph/1",
 "switches": [{"name": "a", "hosts": 2}, {"name": "b", "hosts": 1}],
 "links": [{"a": "a", "b": "b", "count": 3, "latency": "2us", "bandwidth": "4 GB/s"}]})"));
  check_pair(good(read_graphml, R"(<graphml>
 <key id="h" for="node" attr.name="hosts"/> <key id="l" for="edge" attr.name="latency"/>
 <key id="w" for="edge" attr.name="bandwidth"/> <key id="c" for="edge" attr.name="count"/>
 <graph edgedefault="undirected">
  <node id="a"><data key="h">2</data></node> <node id="b"><data key="h">1</data></node>
  <edge source="a" target="b"><data key="l">2us</data><data key="w">32 Gbps</data><data key="c">3</data></edge>
 </graph></graphml>)"));
#ifdef BUSLINE_HAS_BOOST_GRAPH
  check_pair(good(read_dot, R"(graph net { node [hosts=1]; a [hosts=2]; b;
  a -- b [latency="2us", bandwidth="4 GB/s", count=3, colour=red] })"));
#endif
}

TEST_CASE("nodes of the type host are hosts of the switch that they are joined to") {
  const auto t =
      good(read_graphml, R"(<graphml><key id="t" attr.name="type"/><key id="l" attr.name="latency"/>
<graph><node id="h0"><data key="t">host</data></node><node id="s"/><node id="t"/>
<node id="h1"><data key="t">host</data></node>
<edge source="h0" target="t"><data key="l">7us</data></edge><edge source="s" target="t"/>
<edge source="s" target="h1"/></graph></graphml>)");
  CHECK(t.switches() == 2);
  REQUIRE(t.hosts() == 2);
  CHECK(t.name_of(t.switch_of(0)) == "t");
  CHECK(t.name_of(t.switch_of(1)) == "s");
  CHECK(t.figures_of(t.host_up(0)).latency == Duration::seconds(7e-6));
  CHECK(t.links() == 1);
}

TEST_CASE("a graph without hosts gets one host at each switch") {
  CHECK(good(read_graphml, R"(<graphml><graph><node id="a"/><node id="b"/></graph></graphml>)").hosts() == 2);
}

TEST_CASE("errors in a graph file have their line and column") {
  CHECK(error(read_json_graph, R"({"schema": "busline/graph/1", "switches": [{"name": "a"}],
"links": [{"a": "a", "b": "c"}]})") == "net:2:27: /links/0/b: there is no switch 'c'");
  CHECK(error(read_json_graph,
              R"({"schema": "busline/graph/1", "switches": [{"name": "a"}, {"name": "a"}], "links": []})") ==
        "net:1:68: /switches/1/name: a switch with this name already exists");
  const std::string head =
      "<graphml><key id=\"l\" attr.name=\"latency\"/><key id=\"h\" attr.name=\"hosts\"/>\n<graph>";
  CHECK(error(read_graphml, head + "\n<node id=\"a\"/><edge source=\"a\" target=\"b\"/></graph></graphml>") ==
        "net:3:16: there is no node 'b'");
  CHECK(error(read_graphml, head + "<node id=\"a\"><data key=\"h\">-1</data></node></graph></graphml>") ==
        "net:2:9: hosts of 'a': expected a whole number from 0 to 1000000, found '-1'");
  CHECK(error(read_graphml, head + "<node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"><data "
                                   "key=\"l\">7</data></edge>"
                                   "</graph></graphml>")
            .find("net:2:37: latency of the link from 'a' to 'b': a unit is missing") == 0);
  CHECK(error(read_graphml, "<graphml><graph edgedefault=\"directed\"/></graphml>")
            .find("the graph is directed") != std::string::npos);
  CHECK(error(read_graphml, "<graphml><graph>").substr(0, 12) == "net:1:16: XM");
#ifdef BUSLINE_HAS_BOOST_GRAPH
  CHECK(error(read_dot, "digraph { a -> b }") ==
        "net: the graph is directed, expected 'graph' and '--': links go both ways");
  CHECK(error(read_dot, "graph { a -- ").find("net: DOT: ") == 0);
  CHECK(error(read_dot, "graph { a -- a }") == "net: a link joins 'a' to itself");
  std::string deep = "graph ";
  for (int i = 0; i < 100; ++i) deep += "{";
  CHECK(error(read_dot, deep) == "net: nesting is deeper than 64 levels");
#endif
}

TEST_CASE("a graph has a million nodes at most") {
  const std::string text;
  GraphParts parts("net", text);
  bool added = true;
  for (std::uint32_t i = 0; i < kMostSwitches; ++i) added = added && parts.add_node(std::to_string(i), {});
  CHECK(added);
  const auto more = parts.add_node("more", {});
  REQUIRE_FALSE(more);
  CHECK(to_string(more.error()) == "net: more than 1000000 nodes");
}

TEST_CASE("a file's name determines its format") {
  BuildingSite site;
  const auto read = read_graph(site, "net.txt");
  REQUIRE_FALSE(read);
  CHECK(to_string(read.error()) ==
        "net.txt: a graph's file has a name that ends in .json, .graphml, .dot, .gv or .xml");
}

TEST_CASE("SimGrid's clusters are the networks that SimGrid makes of them") {
  const auto flat = good(read_simgrid_xml, cluster(R"(radical="0-30,40" bw="1GBps" lat="10us")"));
  CHECK(flat.hosts() == 32);
  CHECK(flat.switches() == 1);
  CHECK(flat.figures_of(0) == LinkFigures{Duration::seconds(1e-5), Bandwidth::bytes_per_second(1e9)});
  const auto torus =
      good(read_simgrid_xml,
           cluster(R"(radical="0-15" bw="8Gbps" lat="10us" topology="TORUS" topo_parameters="4,2,2")"));
  CHECK(torus.links() == 16 + 8 + 8);
  CHECK(torus.figures_of(torus.host_up(0)).latency == Duration());
  const auto tree = good(
      read_simgrid_xml,
      cluster(R"(radical="0-15" bw="1GBps" lat="10us" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2")"));
  CHECK(tree.hosts() == 16);
  CHECK(tree.switches() == 6);
  CHECK(tree.links() == 4 * 2 * 2);
  const auto fly = good(
      read_simgrid_xml,
      cluster(
          R"(radical="0-15" bw="1GBps" lat="10us" topology="DRAGONFLY" topo_parameters="2,1;2,1;2,3;2")"));
  CHECK(fly.switches() == 8);
  CHECK(fly.hosts() == 16);
  CHECK(fly.links() == 2 * 4 + 1);
  CHECK(fly.figures_of(0).bandwidth == Bandwidth::bytes_per_second(3e9));  // green, three cables
}

TEST_CASE("SimGrid elements without a counterpart in a network of switches are refused by name and line") {
  CHECK(
      error(read_simgrid_xml, cluster(R"(radical="0-3" bw="1GBps" lat="1us" bb_bw="3GBps" bb_lat="5us")")) ==
      "net:4:2: bb_bw: a backbone narrower than all hosts' links is not a network of switches; a platform "
      "expresses it with 'buses'");
  CHECK(error(read_simgrid_xml, cluster(R"(radical="0-3" bw="1GBps" lat="1us" sharing_policy="SHARED")")) ==
        "net:4:2: sharing_policy=\"SHARED\": expected SPLITDUPLEX: links are full duplex");
  CHECK(error(read_simgrid_xml, cluster(R"(radical="0-3" bw="1GBps" lat="1")")) ==
        "net:4:2: lat=\"1\": expected a time with its unit, such as 10us");
  CHECK(error(read_simgrid_xml,
              cluster(R"(radical="0-3" bw="1GBps" lat="1us" topology="TORUS" topo_parameters="2,3")")) ==
        "net:4:2: radical=\"0-3\": expected the 6 hosts of the topology");
  CHECK(error(read_simgrid_xml,
              "<platform version=\"4.1\"><zone id=\"z\"><cluster/><peer/></zone></platform>") ==
        "net:1:49: <peer> is not read, expected one <cluster>, or one <zone> of hosts");
}

TEST_CASE("SimGrid's zones of single hosts are read if their routes form a graph") {
  const auto zone = [](const std::string& routing, const std::string& inside) {
    return "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"" + routing + "\">\n" + inside +
           "</zone></platform>";
  };
  const auto host = [](const std::string& id) { return "<host id=\"" + id + "\" speed=\"1Gf\"/>"; };
  const auto link = [](const std::string& id, const std::string& more) {
    return "<link id=\"" + id + "\" bandwidth=\"8Gbps\" latency=\"2us\" " + more + "/>\n";
  };
  const std::string split = "sharing_policy=\"SPLITDUPLEX\"";
  const auto way = [](const std::string& from, const std::string& to, std::vector<std::string> parts) {
    std::string text = "<route src=\"" + from + "\" dst=\"" + to + "\">";
    for (const auto& p : parts)
      text += "<link_ctn id=\"" + p.substr(1) + "\" direction=\"" + (p[0] == '+' ? "UP" : "DOWN") + "\"/>";
    return text + "</route>\n";
  };
  const auto hosts = host("a") + host("b") + host("c") + "\n";
  const auto links = link("la", split) + link("lb", split) + link("lc", split) + link("x", split);
  // a and b at one switch, c behind a second one.
  const auto ways = way("a", "b", {"+la", "-lb"}) + way("a", "c", {"+la", "+x", "-lc"}) +
                    way("b", "c", {"+lb", "+x", "-lc"});
  const auto graph = good(read_simgrid_xml, zone("Full", hosts + links + ways));
  CHECK(graph.hosts() == 3);
  CHECK(graph.switches() == 2);
  CHECK(graph.links() == 1);
  CHECK(graph.switch_of(0) == graph.switch_of(1));
  CHECK(graph.switch_of(2) != graph.switch_of(0));
  CHECK(graph.figures_of(graph.host_up(2)) ==
        LinkFigures{Duration::seconds(2e-6), Bandwidth::bytes_per_second(1e9)});
  // Hosts that are joined directly also become switches.
  const auto ring = good(read_simgrid_xml, zone("Full", hosts + links + way("a", "b", {"+la"}) +
                                                            way("b", "c", {"+lb"}) + way("c", "a", {"+lc"})));
  CHECK(ring.switches() == 3);
  CHECK(ring.links() == 3);

  const auto fails = [&](const std::string& inside) { return error(read_simgrid_xml, zone("Full", inside)); };
  CHECK(fails(hosts + links + way("a", "b", {"+la", "-lb"}) + way("a", "c", {"+la", "-lc"}))
            .find("there is no route from 'b' to 'c'") != std::string::npos);
  CHECK(fails(hosts + link("la", "") + way("a", "b", {"+la"}))
            .find("link 'la' is SHARED, expected SPLITDUPLEX: links here are full duplex") !=
        std::string::npos);
  CHECK(fails(hosts + links + "<route src=\"a\" dst=\"b\"><link_ctn id=\"la\"/></route>")
            .find("expected direction=\"UP\" or \"DOWN\"") != std::string::npos);
  CHECK(fails(hosts + links + ways + way("a", "b", {"+la", "+x", "-x", "-lb"}))
            .find("the route has 4 links where 2 would do") != std::string::npos);
  CHECK(fails(hosts + links + way("a", "b", {"+la"}) + way("a", "c", {"+la"}))
            .find("host 'c' is where another host is") != std::string::npos);
  CHECK(fails(hosts + "<router id=\"r\"/>").find("<router> is not read in such a zone") != std::string::npos);
  CHECK(fails(hosts + way("a", "d", {"+la"})).find("dst=\"d\": no element above has this name") !=
        std::string::npos);
  CHECK(error(read_simgrid_xml, zone("Floyd", hosts))
            .find("expected Full or Cluster for a zone with single hosts") != std::string::npos);
}

TEST_CASE("a backbone in SimGrid's files may add latency, but must not limit messages") {
  const auto zone = [](const std::string& inside) {
    return "<platform version=\"4.1\"><zone id=\"z\" routing=\"Cluster\"><host id=\"a\"/><host id=\"b\"/>"
           "<link id=\"la\" bandwidth=\"1GBps\" latency=\"2us\" sharing_policy=\"SPLITDUPLEX\"/>"
           "<link id=\"i\" bandwidth=\"1GBps\" latency=\"2us\"/><link id=\"o\" bandwidth=\"1GBps\" "
           "latency=\"2us\"/>" +
           inside + "</zone></platform>";
  };
  const std::string a = "<host_link id=\"a\" up=\"la_UP\" down=\"la_DOWN\"/>",
                    b = "<host_link id=\"b\" up=\"o\" down=\"i\"/>";
  const auto star =
      good(read_simgrid_xml, zone(a + b + "<backbone id=\"x\" bandwidth=\"2GBps\" latency=\"4us\"/>"));
  CHECK(star.switches() == 1);
  CHECK(star.figures_of(star.host_up(1)).latency == Duration::seconds(4e-6));
  CHECK(error(read_simgrid_xml, zone(a + b + "<backbone id=\"x\" bandwidth=\"1GBps\" latency=\"4us\"/>"))
            .find("a backbone narrower than all hosts' links") != std::string::npos);
  CHECK(error(read_simgrid_xml, zone(a)).find("host 'b' has no <host_link>") != std::string::npos);
  CHECK(
      error(read_simgrid_xml, zone(a + "<host_link id=\"b\" up=\"o\" down=\"o\"/>")).find("is half duplex") !=
      std::string::npos);
  const auto flat =
      good(read_simgrid_xml, cluster(R"(radical="0-3" bw="1GBps" lat="1us" bb_bw="4GBps" bb_lat="6us")"));
  CHECK(flat.figures_of(0).latency == Duration::seconds(4e-6));
}
