#include "platforms/topology/routes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/topology/test_networks.hpp"
#include "sim/base/random.hpp"

using namespace busline;

namespace {

using LinkList = std::vector<std::uint32_t>;

Routes routes(const Topology& t, Routing routing, std::uint64_t seed = 1) {
  auto r = Routes::of(t, routing, seed);
  if (!r) FAIL(to_string(r.error()));
  return *std::move(r);
}

LinkList route(const Routes& r, std::uint32_t from, std::uint32_t to, std::uint64_t hash = 0) {
  LinkList links;
  r.append(from, to, hash, links);
  return links;
}

// The switches along a route; each link must begin where the previous one ended.
std::vector<std::uint32_t> switches_along(const Topology& t, std::uint32_t from, std::uint32_t to,
                                          const LinkList& way) {
  REQUIRE(way.size() >= 2);
  bool connected = false;
  for (std::uint32_t p = 0; p < t.host_ports(); ++p)
    connected = connected || way.front() == t.host_up(from, p);
  CHECK(connected);
  std::vector<std::uint32_t> along{t.switch_of(from)};
  for (std::size_t i = 1; i + 1 < way.size(); ++i) {
    REQUIRE(way[i] / 2 < t.links());
    const auto& link = t.link(way[i] / 2);
    CHECK((way[i] % 2 == 0 ? link.a : link.b) == along.back());
    along.push_back(way[i] % 2 == 0 ? link.b : link.a);
  }
  CHECK(along.back() == t.switch_of(to));
  CHECK(way.back() % 2 == 1);
  CHECK((way.back() / 2 - t.links()) / t.host_ports() == to);
  return along;
}

std::vector<NetworkFamily> families() {
  return {StarNetwork{8},
          FatTree{8, 2},
          KaryTree{3, 3},
          GeneralTree{{3, 4, 2}, {1, 2, 3}, {1, 3, 2}},
          Dragonfly{9, 1, 4, 2, 2, {}},
          Dragonfly{3, 2, 3, 2, 1, {}},
          DragonflyPlus{5, 2, 2, 2, 2, {}},
          Torus{{4, 3, 2}, 2},
          Mesh{{5, 4}, 1},
          Hypercube{4, 1},
          HyperX{{3, 4}, 2},
          SlimFly{5, 2},
          Jellyfish{20, 4, 2, 1}};
}

}  // namespace

TEST_CASE("every minimal route is connected, shortest, and always the same") {
  for (const auto& family : families()) {
    CAPTURE(family.index());
    TopologyDescription d;
    d.family = family;
    d.host_ports = 2;
    const auto t = made(d);
    const auto minimal = routes(t, Routing::minimal), ecmp = routes(t, Routing::ecmp);
    BreadthSearch search(t);
    for (std::uint32_t from = 0; from < t.hosts(); ++from) {
      const auto hops = search.from(t.switch_of(from));
      for (std::uint32_t to = 0; to < t.hosts(); ++to) {
        if (from == to) continue;
        const auto way = route(minimal, from, to, 1);
        switches_along(t, from, to, way);
        CHECK(way.size() == hops[t.switch_of(to)] + 2);
        CHECK(way == route(minimal, from, to, 2));
        const auto other = route(ecmp, from, to, from * 7 + to);
        switches_along(t, from, to, other);
        CHECK(other.size() == way.size());
      }
    }
  }
}

TEST_CASE("a message to its own host uses no link") {
  const auto t = made(Torus{{4}, 2});
  CHECK(route(routes(t, Routing::valiant), 3, 3).empty());
  CHECK(route(routes(t, Routing::minimal), 2, 3) == LinkList{t.host_up(2), t.host_down(3)});
}

TEST_CASE("links are appended to the caller's list") {
  const auto t = made(StarNetwork{3});
  LinkList links{99};
  routes(t, Routing::minimal).append(0, 2, 0, links);
  CHECK(links == LinkList{99, t.host_up(0), t.host_down(2)});
}

TEST_CASE("d-mod-k gives each message of a shift a link of its own") {
  // Zahavi 2010: on a tree without taper all shift permutations are free of contention.
  for (const auto& family :
       std::vector<NetworkFamily>{FatTree{6, 1}, KaryTree{3, 3}, GeneralTree{{4, 4}, {1, 2}, {1, 2}}}) {
    const auto t = made(family);
    const auto r = routes(t, Routing::minimal);
    for (std::uint32_t shift = 1; shift < t.hosts(); ++shift) {
      CAPTURE(shift);
      LinkList used;
      for (std::uint32_t h = 0; h < t.hosts(); ++h) r.append(h, (h + shift) % t.hosts(), 0, used);
      std::sort(used.begin(), used.end());
      CHECK(std::adjacent_find(used.begin(), used.end()) == used.end());
    }
  }
}

TEST_CASE("in a grid a message takes the first dimension first, in the shorter direction") {
  const auto t = made(Torus{{5, 4}, 1});
  const auto r = routes(t, Routing::minimal);
  CHECK(switches_along(t, 0, 19, route(r, 0, 19)) == std::vector<std::uint32_t>{0, 4, 19});
  // Half way round the second dimension: up from row 0, down from row 1.
  CHECK(switches_along(t, 0, 12, route(r, 0, 12)) == std::vector<std::uint32_t>{0, 1, 2, 7, 12});
  CHECK(switches_along(t, 5, 15, route(r, 5, 15)) == std::vector<std::uint32_t>{5, 0, 15});
  const auto m = made(Mesh{{3, 3}, 1});
  CHECK(switches_along(m, 0, 8, route(routes(m, Routing::minimal), 0, 8)) ==
        std::vector<std::uint32_t>{0, 1, 2, 5, 8});
}

TEST_CASE("equal-cost routes are taken equally often") {
  // From pod to pod of a fat tree with 8 ports there are 4 x 4 routes.
  const auto t = made(FatTree{8, 1});
  const auto r = routes(t, Routing::ecmp);
  std::map<LinkList, int> count;
  for (std::uint64_t hash = 0; hash < 1600; ++hash) ++count[route(r, 0, 127, hash)];
  CHECK(count.size() == 16);
  for (const auto& [way, n] : count) CHECK(n == doctest::Approx(100).epsilon(0.4));
  CHECK(route(r, 0, 127, 5) == route(r, 0, 127, 5));
  std::set<LinkList> by_seed;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    by_seed.insert(route(routes(t, Routing::ecmp, seed), 0, 127, 5));
  CHECK(by_seed.size() > 5);
}

TEST_CASE("all parallel cables are used") {
  const auto t = made(GeneralTree{{4, 2}, {1, 1}, {1, 4}});
  const auto used = [&](Routing routing) {
    LinkList links;
    const auto r = routes(t, routing);
    for (std::uint32_t to = 4; to < 8; ++to)
      for (std::uint64_t hash = 0; hash < 20; ++hash) r.append(0, to, hash, links);
    return std::count_if(links.begin(), links.end(), [&](auto l) { return l / 2 < t.links(); }) > 0
               ? std::set(links.begin(), links.end()).size()
               : 0;
  };
  // One host up, 4 cables up, 4 down, 4 hosts down.
  CHECK(used(Routing::minimal) == 1 + 4 + 4 + 4);
  CHECK(used(Routing::ecmp) == 1 + 4 + 4 + 4);
}

TEST_CASE("Valiant's routes visit all switches and are at most two shortest routes long") {
  for (const auto& family : families()) {
    CAPTURE(family.index());
    const auto t = made(family);
    if (t.switches() == 1) continue;
    const auto r = routes(t, Routing::valiant);
    BreadthSearch search(t);
    std::uint32_t diameter = 0;
    for (std::uint32_t s = 0; s < t.switches(); ++s)
      for (const auto h : search.from(s)) diameter = std::max<std::uint32_t>(diameter, h);
    std::set<std::uint32_t> seen;
    for (std::uint64_t hash = 0; hash < 20ULL * t.switches(); ++hash) {
      const auto way = route(r, 0, t.hosts() - 1, hash);
      for (const auto s : switches_along(t, 0, t.hosts() - 1, way)) seen.insert(s);
      CHECK(way.size() <= 2 * diameter + 2);
    }
    CHECK(seen.size() == t.switches());
  }
}

TEST_CASE("hop counts of a grid equal those of a search") {
  for (const auto& family :
       std::vector<NetworkFamily>{Torus{{4, 3, 2}, 1}, Mesh{{5, 1, 3}, 1}, HyperX{{3, 4}, 1}}) {
    const auto t = made(family);
    const auto hops = HopCounts::of(t);
    REQUIRE(hops);
    BreadthSearch search(t);
    for (std::uint32_t a = 0; a < t.switches(); ++a) {
      const auto& found = search.from(a);
      for (std::uint32_t b = 0; b < t.switches(); ++b) CHECK((*hops)(a, b) == found[b]);
    }
  }
}

TEST_CASE("a table of hop counts also holds paths of more than 254 links") {
  TopologyBuilder builder;
  const auto figures = builder.add_figures({});
  builder.add_switches(600);
  for (std::uint32_t s = 0; s + 1 < 600; ++s)
    if (s != 500) builder.add_links(s, s + 1, figures);
  const auto t = std::move(builder).build();
  const auto hops = HopCounts::of(t);
  REQUIRE(hops);
  CHECK((*hops)(0, 254) == 254);
  CHECK((*hops)(0, 255) == 255);
  CHECK((*hops)(500, 0) == 500);
  CHECK((*hops)(3, 3) == 0);
  CHECK((*hops)(0, 501) == kNotJoined);
  CHECK((*hops)(501, 599) == 98);
}

TEST_CASE("a tree that lost a link still spreads a shift over its links") {
  TopologyDescription d;
  d.family = FatTree{8, 1};
  NetworkFault lost;
  lost.random_links = 1;
  d.faults = {lost};
  const auto t = made(std::move(d));
  const auto r = routes(t, Routing::minimal);
  std::map<std::uint32_t, int> messages;
  for (std::uint32_t h = 0; h < t.hosts(); ++h)
    for (const auto link : route(r, h, (h + t.hosts() / 2) % t.hosts())) ++messages[link];
  // One on each without losses. A diverted message meets another one, and perhaps a third.
  int most = 0;
  for (const auto& [link, count] : messages) most = std::max(most, count);
  CHECK(most <= 3);
}
