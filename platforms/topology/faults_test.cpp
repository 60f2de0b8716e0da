#include "platforms/topology/faults.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "platforms/topology/hop_counts.hpp"
#include "platforms/topology/routes.hpp"
#include "platforms/topology/test_networks.hpp"

using namespace busline;

namespace {

TopologyDescription with_faults(NetworkFamily family, std::vector<NetworkFault> faults) {
  TopologyDescription d;
  d.family = std::move(family);
  d.faults = std::move(faults);
  return d;
}

std::string refusal_of(const TopologyDescription& d) {
  const auto t = make_topology(d);
  return t ? "made" : to_string(t.error());
}

std::uint32_t hops(const Topology& t, std::uint32_t from, std::uint32_t to) {
  BreadthSearch search(t);
  return search.from(t.switch_of(from))[t.switch_of(to)];
}

}  // namespace

TEST_CASE("a ring that lost a link is a line, and messages take the long way") {
  NetworkFault cut;
  cut.links = {{0, 5}};
  const auto t = made(with_faults(Torus{{6}, 1}, {cut}));
  CHECK(t.links() == 5);
  CHECK(t.hosts() == 6);
  CHECK(hops(t, 0, 5) == 5);
  const auto r = Routes::of(t, Routing::minimal);
  REQUIRE(r);
  std::vector<std::uint32_t> way;
  r->append(0, 5, 0, way);
  CHECK(way.size() == 5 + 2);
}

TEST_CASE("a failed switch removes its hosts, and the others keep their numbers as names") {
  NetworkFault cut;
  cut.switches = {4};
  const auto t = made(with_faults(Mesh{{3, 3}, 2}, {cut}));
  CHECK(t.switches() == 8);
  CHECK(t.hosts() == 16);
  CHECK(t.links() == 12 - 4);
  CHECK(t.name_of(4) == "5");
  CHECK(hops(t, 2, 12) == 4);  // from switch 1 to 7, around the gap
}

TEST_CASE("a switch without hosts that nothing reaches any more is left out") {
  // A fat tree's core switch 0 loses its links to all pods.
  NetworkFault cut;
  const auto whole = made(FatTree{4, 1});
  for (const auto& port : whole.ports(16)) cut.links.push_back({16, port.neighbour});
  const auto t = made(with_faults(FatTree{4, 1}, {cut}));
  CHECK(t.switches() == 19);
  CHECK(t.hosts() == 16);
  CHECK(t.name_of(16) == "17");
}

TEST_CASE("slowed links keep the network's shape and lose bandwidth") {
  NetworkFault slow;
  slow.links = {{0, 1}};
  slow.bandwidth_factor = 0.25;
  slow.latency_factor = 3;
  auto d = with_faults(Torus{{4}, 1}, {slow, slow});
  d.link.latency = Duration::picoseconds(100);
  const auto t = made(d);
  CHECK(std::holds_alternative<GridShape>(t.shape()));
  CHECK(t.figures_of(0).speed == 0.0625);
  CHECK(t.figures_of(0).latency == Duration::picoseconds(900));
  CHECK(t.figures_of(2).speed == 1);
  CHECK(t.figures_of(0).rate(Bandwidth::bytes_per_second(16)) == Bandwidth::bytes_per_second(1));
}

TEST_CASE("a slowed switch also slows its hosts' links") {
  NetworkFault slow;
  slow.switches = {1};
  slow.bandwidth_factor = 0.5;
  const auto t = made(with_faults(Torus{{4}, 1}, {slow}));
  CHECK(t.hosts() == 4);
  CHECK(t.figures_of(t.host_up(1)).speed == 0.5);
  CHECK(t.figures_of(t.host_up(2)).speed == 1);
  CHECK(t.figures_of(0).speed == 0.5);  // 0 - 1
  CHECK(t.figures_of(4).speed == 1);    // 2 - 3
}

TEST_CASE("random faults have the given number, and are the same for the same seed") {
  const auto names = [](std::uint64_t seed) {
    NetworkFault cut;
    cut.random_links = 7;
    cut.random_switches = 3;
    cut.seed = seed;
    const auto t = made(with_faults(Torus{{6, 6}, 1}, {cut}));
    CHECK(t.switches() == 33);
    CHECK(t.links() <= 72 - 7 - 9);
    return t.names();
  };
  CHECK(names(1) == names(1));
  CHECK(names(1) != names(2));
}

TEST_CASE("hosts that are cut off are an error") {
  NetworkFault cut;
  cut.links = {{0, 1}, {3, 2}};
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {cut})) ==
        "/faults: host 1 at switch 1 has no path to host 0 at switch 0");
  NetworkFault all;
  all.random_switches = 4;
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {all})) == "/faults: the network has no hosts");
}

TEST_CASE("a fault of something that does not exist is refused by its place") {
  NetworkFault fault;
  fault.links = {{0, 1}, {0, 2}};
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {{}, fault})) ==
        "/faults/1/links/1: no link joins switches 0 and 2");
  fault.links = {{9, 1}};
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {fault})) ==
        "/faults/0/links/0: no link joins switches 9 and 1");
  fault.links.clear();
  fault.switches = {4};
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {fault})) ==
        "/faults/0/switches/0: there is no switch 4, expected 0 to 3");
  fault.switches.clear();
  fault.random_links = 5;
  CHECK(refusal_of(with_faults(Torus{{4}, 1}, {fault})) == "/faults/0/random_links: 5 links, but 4 are left");
}
