#include "platforms/topology/generate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/topology/hop_counts.hpp"
#include "platforms/topology/test_networks.hpp"

using namespace busline;

namespace {

std::multiset<std::pair<std::uint32_t, std::uint32_t>> link_ends(const Topology& t) {
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (std::uint32_t l = 0; l < t.links(); ++l) ends.insert(std::minmax(t.link(l).a, t.link(l).b));
  return ends;
}

bool regular(const Topology& t, std::size_t degree) {
  for (std::uint32_t s = 0; s < t.switches(); ++s)
    if (t.ports(s).size() != degree) return false;
  return true;
}

bool without_double_links(const Topology& t) {
  const auto ends = link_ends(t);
  return std::set(ends.begin(), ends.end()).size() == ends.size();
}

std::uint32_t diameter(const Topology& t) {
  BreadthSearch search(t);
  std::uint32_t most = 0;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const auto& hops = search.from(s);
    most = std::max<std::uint32_t>(most, *std::max_element(hops.begin(), hops.end()));
  }
  return most;
}

}  // namespace

TEST_CASE("the ports of a switch lead to the other ends of its links, in the order of the links") {
  const auto t = made(Mesh{{3}, 2});
  REQUIRE(t.switches() == 3);
  REQUIRE(t.links() == 2);
  CHECK(t.hosts() == 6);
  CHECK(t.switch_of(3) == 1);
  REQUIRE(t.ports(1).size() == 2);
  CHECK(t.ports(1)[0].neighbour == 0);
  CHECK(t.ports(1)[0].directed_link == 1);  // link 0, from its b to its a
  CHECK(t.ports(1)[1].neighbour == 2);
  CHECK(t.ports(1)[1].directed_link == 2);
  CHECK(t.host_up(0) == 4);  // after both directions of two links
  CHECK(t.host_down(5) == 15);
  CHECK(t.directed_links() == 16);
}

TEST_CASE("links have the figures that the description names") {
  TopologyDescription d;
  d.family = Dragonfly{9, 1, 4, 2, 2, LinkFigures{Duration::seconds(1e-6), {}}};
  d.link = {Duration::seconds(1e-7), Bandwidth::bytes_per_second(1e10)};
  d.host_link = LinkFigures{Duration::seconds(2e-7), Bandwidth::bytes_per_second(5e9)};
  d.host_ports = 2;
  const auto t = made(d);
  CHECK(t.links() == 9 * 6 + 36);
  CHECK(t.figures_of(0) == d.link);
  CHECK(t.figures_of(2 * (t.links() - 1) + 1).latency == Duration::seconds(1e-6));
  CHECK(t.figures_of(t.host_up(71, 1)) == *d.host_link);
  CHECK(t.directed_links() == 2 * (90 + 72 * 2));
}

TEST_CASE("a k-ary fat tree is the general tree of half as many ports") {
  const auto a = made(FatTree{8, 1}), b = made(GeneralTree{{4, 4, 8}, {1, 4, 4}, {1, 1, 1}});
  CHECK(link_ends(a) == link_ends(b));
  CHECK(a.hosts() == 8 * 8 * 8 / 4);
  CHECK(a.switches() == 5 * 8 * 8 / 4);
}

TEST_CASE("a tapered fat tree has fewer cables above its leaves") {
  const auto t = made(FatTree{8, 2});
  CHECK(t.hosts() == 128);
  CHECK(t.ports(0).size() == 2);
  CHECK(t.links() == 32 * 2 + 16 * 4);
}

TEST_CASE("a k-ary n-tree has n levels of k^(n-1) switches") {
  const auto t = made(KaryTree{3, 4});
  CHECK(t.hosts() == 81);
  CHECK(t.switches() == 4 * 27);
  CHECK(t.links() == 3 * 81);
  CHECK(diameter(t) == 6);
}

TEST_CASE("cables of a tree run in parallel where the description says so") {
  const auto t = made(GeneralTree{{4, 4}, {1, 2}, {1, 3}});
  CHECK(t.switches() == 4 + 2);
  CHECK(t.links() == 4 * 2 * 3);
  CHECK(link_ends(t).count({0, 4}) == 3);
}

TEST_CASE("a ring of two switches has one link") {
  CHECK(made(Torus{{2}, 1}).links() == 1);
  CHECK(made(Torus{{3}, 1}).links() == 3);
  CHECK(made(Torus{{1, 4}, 1}).links() == 4);
  CHECK(link_ends(made(Torus{{2, 2, 2}, 1})) == link_ends(made(Hypercube{3, 1})));
}

TEST_CASE("in a HyperX all switches of a line are joined") {
  const auto t = made(HyperX{{3, 4}, 1});
  CHECK(regular(t, 2 + 3));
  CHECK(without_double_links(t));
  CHECK(diameter(t) == 2);
}

TEST_CASE("all pairs of groups in a dragonfly have the same number of cables") {
  const auto cables = [](const Topology& t, std::uint32_t members) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
    for (const auto& [a, b] : link_ends(t))
      if (a / members != b / members) ++count[{a / members, b / members}];
    std::set<int> counts;
    for (const auto& [groups, n] : count) counts.insert(n);
    return std::pair{count.size(), counts};
  };
  CHECK(cables(made(Dragonfly{9, 1, 4, 2, 2, {}}), 4) == std::pair{std::size_t{36}, std::set{1}});
  // Two groups: all eight global ports of each lead to the other one.
  CHECK(cables(made(Dragonfly{2, 1, 4, 2, 2, {}}), 4) == std::pair{std::size_t{1}, std::set{8}});
  CHECK(cables(made(Dragonfly{4, 1, 4, 2, 2, {}}), 4) == std::pair{std::size_t{6}, std::set{2}});
  // More groups than routers in a group.
  CHECK(cables(made(Dragonfly{17, 1, 4, 1, 4, {}}), 4) == std::pair{std::size_t{136}, std::set{1}});
  CHECK(cables(made(DragonflyPlus{5, 3, 2, 2, 2, {}}), 5) == std::pair{std::size_t{10}, std::set{1}});
}

TEST_CASE("no router of a dragonfly has more global links than ports for them") {
  for (std::uint32_t groups = 2; groups <= 13; ++groups) {
    CAPTURE(groups);
    const auto t = made(Dragonfly{groups, 1, 4, 1, 3, {}});
    for (std::uint32_t s = 0; s < t.switches(); ++s) CHECK(t.ports(s).size() <= 3 + 3);
    CHECK(diameter(t) <= 3);
  }
}

TEST_CASE("routers of a chassis are joined, and so are routers of one slot") {
  const auto t = made(Dragonfly{1, 3, 4, 1, 1, {}});
  CHECK(link_ends(t) == link_ends(made(HyperX{{4, 3}, 1})));
}

TEST_CASE("every slim fly has diameter 2 and the degree of its field") {
  // Powers of primes of all kinds: 4w + 1, 4w - 1 and 4w (Besta, Hoefler 2014: (3q - delta) / 2).
  struct Row {
    std::uint32_t q, degree;
  };
  for (const auto row : {Row{3, 5}, {4, 6}, {5, 7}, {7, 11}, {8, 12}, {9, 13}, {11, 17}, {16, 24}}) {
    const auto q = row.q;
    CAPTURE(q);
    const auto t = made(SlimFly{q, 1});
    CHECK(t.switches() == 2 * q * q);
    CHECK(regular(t, row.degree));
    CHECK(without_double_links(t));
    CHECK(diameter(t) == 2);
  }
}

TEST_CASE("a jellyfish is regular, random, and the same for the same seed") {
  const auto t = made(Jellyfish{51, 4, 2, 7});
  CHECK(t.hosts() == 102);
  CHECK(regular(t, 4));
  CHECK(without_double_links(t));
  CHECK(link_ends(t) == link_ends(made(Jellyfish{51, 4, 2, 7})));
  CHECK(link_ends(t) != link_ends(made(Jellyfish{51, 4, 2, 8})));
  CHECK(regular(made(Jellyfish{20, 19, 1, 1}), 19));
  // Exactly these links on every machine: random numbers and exchanges are specified to the bit.
  std::string links;
  for (const auto& [a, b] : link_ends(made(Jellyfish{10, 3, 1, 1})))
    links += std::to_string(a) + "-" + std::to_string(b) + " ";
  CHECK(links == "0-2 0-5 0-9 1-3 1-6 1-8 2-6 2-7 3-6 3-8 4-5 4-8 4-9 5-7 7-9 ");
}

TEST_CASE("parameters that do not fit are refused by name") {
  CHECK(refusal(FatTree{5, 1}) == "/k: expected an even number of ports, found 5");
  CHECK(refusal(FatTree{8, 3}) == "/taper: expected a divisor of k / 2 = 4, found 3");
  CHECK(refusal(GeneralTree{{4, 4}, {1}, {1, 1}}) ==
        "/up: expected 2 numbers, one for each level of 'down', found 1");
  CHECK(refusal(GeneralTree{{4, 4}, {2, 1}, {1, 1}}) ==
        "/up: expected 1 as the first number: a host is at one switch ('host_ports' gives it several links "
        "to that)");
  CHECK(refusal(GeneralTree{{}, {}, {}}) == "/down: expected 1 to 16 levels, found 0");
  CHECK(refusal(GeneralTree{{4, 4}, {1, 0}, {1, 1}}) == "/up: expected numbers of 1 or more");
  CHECK(refusal(GeneralTree{{4, 4}, {1, 1}, {2, 1}}) ==
        "/parallel: expected 1 as the first number: 'host_ports' gives hosts several links");
  CHECK(refusal(KaryTree{2, 17}) == "/levels: expected 1 to 16, found 17");
  CHECK(refusal(Torus{{}, 1}) == "/dimensions: expected 1 to 32 dimensions, found 0");
  CHECK(refusal(Torus{{4, 0}, 1}) == "/dimensions: expected numbers of 1 or more");
  CHECK(refusal(Dragonfly{10, 1, 4, 1, 2, {}}) ==
        "/groups: 10 groups: each needs a link to all others, but has 8 global ports");
  CHECK(refusal(SlimFly{6, 1}) ==
        "/q: expected a power of a prime from 3 to 509, such as 5, 7, 8, 9, 11, 13, 17; found 6");
  CHECK(refusal(Jellyfish{10, 10, 1, 1}) ==
        "/degree: expected 3 to 9 (one less than the switches), found 10");
  CHECK(refusal(Jellyfish{11, 3, 1, 1}) ==
        "/degree: expected an even number, since that of the switches is odd");
}

TEST_CASE("an absurdly large network is refused before it is built") {
  CHECK(refusal(FatTree{10000, 1}) == "the network would have 1.25e+08 switches, expected 1000000 at most");
  CHECK(refusal(Hypercube{32, 1}) == "the network would have 4.295e+09 switches, expected 1000000 at most");
  CHECK(refusal(HyperX{{100'000}, 1}) == "the network would have 5e+09 links, expected 8000000 at most");
  CHECK(refusal(StarNetwork{2'000'000}) == "the network would have 2e+06 hosts, expected 1000000 at most");
}
