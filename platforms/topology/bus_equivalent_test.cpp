#include "platforms/topology/bus_equivalent.hpp"

#include <doctest/doctest.h>

#include "platforms/topology/test_networks.hpp"

using namespace busline;

namespace {

BusEquivalent equivalent(const Topology& t, Bandwidth of_network = Bandwidth::unlimited()) {
  const auto f = figures_of(t);
  if (!f) FAIL(to_string(f.error()));
  return bus_equivalent(t, *f, of_network);
}

}  // namespace

TEST_CASE("a fat tree without taper has a bus for each host") {
  const auto e = equivalent(made(FatTree{16, 1}));
  CHECK(e.links == 1);
  CHECK(e.worst_limit == 1024);
  CHECK(e.random_limit == 1024);
  CHECK(e.message.is_unlimited());
}

TEST_CASE("buses of direct networks follow from their bisection") {
  // Worst 2b, random min(N, 4b, 2E / d).
  const auto torus = equivalent(made(Torus{{8, 8, 16}, 1}));
  CHECK(torus.worst_limit == 256);
  CHECK(torus.random_limit == 512);
  const auto mesh = equivalent(made(Mesh{{32, 32}, 1}));
  CHECK(mesh.worst_limit == 64);
  CHECK(mesh.random_limit == 128);
  CHECK(equivalent(made(Hypercube{10, 1})).random_limit == 1024);
  CHECK(equivalent(made(Dragonfly{33, 1, 8, 4, 4, {}})).random_limit == 1056);
}

TEST_CASE("with long routes the number of links limits the buses") {
  // A slim fly with 12 hosts at each switch: 2 x 175 / mean hops of 600 hosts.
  const auto t = made(SlimFly{5, 12});
  const auto f = figures_of(t);
  REQUIRE(f);
  const auto e = bus_equivalent(t, *f);
  CHECK(e.capacity == 350);
  CHECK(e.random_limit == static_cast<std::uint32_t>(350 / f->mean_host_hops));
}

TEST_CASE("a star has a bus for each host, since its switch does not limit messages") {
  CHECK(equivalent(made(StarNetwork{24})).worst_limit == 24);
}

TEST_CASE("messages share a link with the average number of others") {
  // Torus of 16 x 16: 1024 directed links, 8.03 per message: 256 messages put 2.007 on each. At most 64 cross
  // the middle, 4 on each link.
  const auto torus = equivalent(made(Torus{{16, 16}, 1}));
  CHECK(torus.random_buses == 85);  // 256 / (1 + 2.007)
  CHECK(torus.worst_buses == 51);   // 256 / (1 + 4)
  // In a star messages never meet.
  CHECK(equivalent(made(StarNetwork{24})).random_buses == 24);
  CHECK(equivalent(made(StarNetwork{24})).worst_buses == 24);
}

TEST_CASE("wide links carry several messages before they share") {
  TopologyDescription d;
  d.family = Mesh{{2}, 8};
  // Sixteen hosts, eight each way over a cable that carries four of them: 2 for each of the four places.
  d.link.bandwidth = Bandwidth::bytes_per_second(4e9);
  d.host_link = LinkFigures{{}, Bandwidth::bytes_per_second(1e9)};
  CHECK(equivalent(made(d)).worst_limit == 8);
  CHECK(equivalent(made(d)).worst_buses == 7);  // 16 / (1/4 + 2)
}

TEST_CASE("wider links carry several messages") {
  TopologyDescription d;
  d.family = FatTree{8, 4};  // 128 hosts, a cable up from each of 32 leaves: 16 across
  const auto gbps = [](double v) { return Bandwidth::bytes_per_second(v * 1e9); };
  CHECK(equivalent(made(d)).worst_limit == 32);
  d.link.bandwidth = gbps(40);
  d.host_link = LinkFigures{{}, gbps(10)};
  CHECK(equivalent(made(d)).worst_limit == 128);
  CHECK(equivalent(made(d)).message == gbps(10));
  // Links without a bandwidth get the network's.
  d.link.bandwidth.reset();
  CHECK(equivalent(made(d), gbps(20)).worst_limit == 64);
  CHECK(equivalent(made(d), gbps(5)).worst_limit == 32);
  CHECK(equivalent(made(d), gbps(5)).message == gbps(5));
}

TEST_CASE("hosts without a bandwidth do not limit messages where links have one") {
  TopologyDescription d;
  d.family = Torus{{8}, 1};
  d.link.bandwidth = Bandwidth::bytes_per_second(1e9);
  d.host_link = LinkFigures();
  const auto e = equivalent(made(d));
  CHECK(e.worst_limit == 4);
  CHECK(e.message == Bandwidth::bytes_per_second(1e9));
}

TEST_CASE("slowed links narrow the cut") {
  TopologyDescription d;
  d.family = Torus{{8}, 1};
  NetworkFault slow;
  slow.links = {{3, 4}};
  slow.bandwidth_factor = 0.5;
  d.faults = {slow};
  const auto e = equivalent(made(d));
  CHECK(e.cut == 1.5);  // one whole link and half of one
  CHECK(e.worst_limit == 3);
  CHECK(e.capacity == 15);
}

TEST_CASE("hosts with several ports have as many links") {
  TopologyDescription d;
  d.family = StarNetwork{4};
  d.host_ports = 2;
  CHECK(equivalent(made(d)).links == 2);
}
