// Metrics of regular networks of about 1000 and 10 000 hosts. The expected links, diameters, mean hops and
// cuts come from a separate program with Boost.Graph's own searches and flows; docs/reference/topology.md has
// their formulas.
#include "platforms/topology/figures.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "platforms/topology/test_networks.hpp"

using namespace busline;

namespace {

TopologyFigures figures(NetworkFamily family) {
  const auto f = figures_of(made(std::move(family)));
  if (!f) FAIL(to_string(f.error()));
  return *f;
}

struct Row {
  std::uint32_t hosts, switches, links, diameter;
  double mean_hops;
  int decimals;       // of its known values
  std::uint64_t cut;  // of the hosts in their order
};

void check(NetworkFamily family, const Row& row) {
  CAPTURE(row.hosts);
  CAPTURE(row.links);
  const auto f = figures(std::move(family));
  CHECK(f.hosts == row.hosts);
  CHECK(f.switches == row.switches);
  CHECK(f.links == row.links);
  CHECK(f.cables == row.links + row.hosts);
  CHECK(f.diameter == row.diameter);
  CHECK(std::round(f.mean_hops * std::pow(10, row.decimals)) ==
        std::round(row.mean_hops * std::pow(10, row.decimals)));
  CHECK(f.in_order.links == row.cut);
  CHECK(f.in_order.first_hosts + f.in_order.second_hosts == row.hosts);
  CHECK(f.bisection.links <= row.cut);
}

}  // namespace

TEST_CASE("networks of a thousand hosts have the expected metrics") {
  check(FatTree{16, 1}, {1024, 320, 2048, 4, 3.0357, 4, 512});
  check(Torus{{8, 8, 16}, 1}, {1024, 1024, 3072, 16, 8.008, 3, 128});
  check(Mesh{{32, 32}, 1}, {1024, 1024, 1984, 62, 21.3333, 4, 32});
  check(Hypercube{10, 1}, {1024, 1024, 5120, 10, 5.005, 3, 512});
  check(Dragonfly{33, 1, 8, 4, 4, {}}, {1056, 264, 1452, 3, 2.694, 3, 272});
  check(SlimFly{5, 1}, {50, 50, 175, 2, 1.857, 3, 125});
}

// Takes half a minute there and covers nothing beyond the thousand hosts.
#ifndef BUSLINE_SANITIZED
TEST_CASE("networks of ten thousand hosts have the expected metrics") {
  check(FatTree{34, 1}, {9826, 1445, 19652, 4, 3.12, 2, 4913});
  check(Torus{{22, 22, 21}, 1}, {10164, 10164, 30492, 32, 16.24, 2, 1012});
  check(Mesh{{100, 100}, 1}, {10000, 10000, 19800, 198, 66.7, 1, 100});
  check(Hypercube{13, 1}, {8192, 8192, 53248, 13, 6.50, 2, 4096});
  check(Dragonfly{129, 1, 16, 8, 8, {}}, {16512, 2064, 23736, 3, 2.86, 2, 4160});
  check(SlimFly{17, 17}, {9826, 578, 7225, 2, 1.957, 3, 4913});
  // Where half of the hosts would be half of a switch, the halves are 5320 and 5328 hosts: 665 and 666
  // switches.
  check(HyperX{{11, 11, 11}, 8}, {10648, 1331, 19965, 3, 2.73, 2, 3990});
}
#endif

TEST_CASE("a switch is never split between the halves of the hosts") {
  const auto f = figures(HyperX{{5, 5, 5}, 8});
  CHECK(f.links == 750);
  CHECK(f.diameter == 3);
  CHECK(f.in_order.first_hosts == 496);
  CHECK(f.in_order.second_hosts == 504);
  // 62 switches: two planes of 25 and 12 of the third one. Lines across planes: 25 lines with 2 or 3 of their
  // 5 switches in the first half, 6 cables each in the cut = 150. In the third plane two rows of 5 and 2 of
  // the third: columns 5 with 2 or 3 of 5, 6 each = 30; the third row 2 x 3 = 6.
  CHECK(f.in_order.links == 150 + 30 + 6);
}

TEST_CASE("a network that is narrower across than along is cut there") {
  // Halves in order are made of 7 planes of 8 x 8, of which the middle one is halved: 2 x 64 + 2 x 8. Along a
  // dimension of 8 there are two cuts of 8 x 7 links.
  const auto f = figures(Torus{{8, 8, 7}, 1});
  CHECK(f.in_order.links == 2 * 64 + 2 * 8);
  CHECK(f.bisection.links == 2 * 8 * 7);
  CHECK(f.bisection.halves == "along dimension 1");
}

TEST_CASE("exchanges of switches find a smaller cut in a random network") {
  // In order, half of the 1000 links are in the cut of a random graph; well-chosen halves leave a third.
  const auto f = figures(Jellyfish{200, 10, 4, 1});
  CHECK(f.in_order.links > 450);
  CHECK(f.in_order.links < 550);
  CHECK(f.bisection.links < 400);
  CHECK(f.bisection.first_hosts == 400);
}

TEST_CASE(
    "there are as many paths without common cables as a switch has links, where the family promises it") {
  CHECK(figures(FatTree{16, 1}).least_paths == 8);
  CHECK(figures(Torus{{8, 8, 16}, 1}).least_paths == 6);
  CHECK(figures(HyperX{{5, 5, 5}, 8}).connectivity == 12U);
  CHECK(figures(Dragonfly{33, 1, 8, 4, 4, {}}).connectivity == 11U);
  CHECK(figures(SlimFly{5, 1}).connectivity == 7U);
  CHECK(figures(Mesh{{8, 8}, 1}).connectivity == 2U);
  CHECK_FALSE(figures(Mesh{{32, 32}, 1}).connectivity);
}

TEST_CASE("a single switch has nothing to cut") {
  const auto f = figures(StarNetwork{24});
  CHECK(f.cables == 24);
  CHECK(f.diameter == 0);
  CHECK(f.bisection.first_hosts == 0);
  CHECK(f.mean_hops == 0);
}

TEST_CASE("mean hops between hosts include pairs at one switch") {
  // 16 hosts, 2 at a leaf, 2 leaves in a pod: of 15 others 1 is 0 hops away, 2 are 2, 12 are 4.
  CHECK(figures(FatTree{4, 1}).mean_host_hops == doctest::Approx((2 * 2 + 12 * 4) / 15.0));
}
