// Traffic over networks that are small enough to know what must come out.
#include "validation/compare/network_traffic.hpp"

#include <doctest/doctest.h>

#include "platforms/topology/figures.hpp"
#include "platforms/topology/generate.hpp"
#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::compare;

namespace {

MarkedTime mark(std::uint32_t rank, std::uint32_t label, std::int64_t at_us) {
  return {rank, label, Time::at(us(at_us))};
}

std::vector<TrafficComparison> compared(const NetworkFamily& family, TrafficPattern pattern,
                                        Routing routing = Routing::minimal) {
  TopologyDescription d;
  d.family = family;
  d.routing = routing;
  const auto topology = make_topology(d);
  if (!topology) FAIL(to_string(topology.error()));
  const auto figures = figures_of(*topology);
  if (!figures) FAIL(to_string(figures.error()));
  const auto buses = bus_equivalent(*topology, *figures, Bandwidth::bytes_per_second(1e9));
  const Traffic traffic{.pattern = pattern, .ranks = topology->hosts(), .messages = 6, .size = Bytes{10'000}};
  const auto all = compare_traffic(d, buses, traffic, 3, [](double) { return true; });
  if (!all) FAIL(to_string(all.error()));
  return *all;
}

}  // namespace

TEST_CASE("messages at once are counted until the first host has sent all") {
  // Host 0 sends at full speed (10 us a message), host 2 with a third of it.
  const std::vector<MarkedTime> marks{mark(0, 0, 10), mark(0, 1, 20), mark(2, 0, 30), mark(2, 1, 60)};
  CHECK(messages_at_once(marks, us(10)) == doctest::Approx(1 + 1. / 3));
  CHECK(messages_at_once({}, us(10)) == 0);
}

TEST_CASE("over one switch buses do not limit anything, and both models agree") {
  for (const auto& named : kTrafficNames) {
    const auto pattern = named.second;
    CAPTURE(named.first);
    for (const auto& c : compared(StarNetwork{12}, pattern)) {
      CHECK(c.buses == 12);
      // Rates of both solvers are the same except for rounding, which adds up over six messages.
      CHECK(c.derived.run_time.in_seconds() == doctest::Approx(c.flow.run_time.in_seconds()).epsilon(1e-6));
      CHECK(c.no_buses.run_time == c.derived.run_time);
      // All messages of an incast share the link of one host.
      const auto at_once = pattern == TrafficPattern::incast ? 1 : 12;
      if (pattern != TrafficPattern::random) CHECK(c.flow.at_once == doctest::Approx(at_once));
    }
  }
}

TEST_CASE("an untapered tree carries shifts at full speed, but not random traffic") {
  // d-mod-k: no two messages of a shift share a link.
  for (const auto& c : compared(FatTree{4, 1}, TrafficPattern::shift))
    CHECK(c.flow.at_once == doctest::Approx(16));
  for (const auto& c : compared(FatTree{4, 1}, TrafficPattern::permutation)) {
    CHECK(c.flow.at_once < 15);
    CHECK(c.flow.run_time > c.no_buses.run_time);
  }
}

TEST_CASE("a bisection of two halves that one cable joins has two messages at full speed") {
  // Two switches with four hosts each, one way of the cable for the four messages of each half.
  for (const auto& c : compared(Mesh{{2}, 4}, TrafficPattern::bisection)) {
    CHECK(c.buses == 2);
    CHECK(c.flow.at_once == doctest::Approx(2));
    CHECK(c.derived.at_once == doctest::Approx(2));
    CHECK(c.no_buses.at_once == doctest::Approx(8));
    CHECK(c.flow.run_time == us(10) * 4 * 6);
    CHECK(c.derived.run_time.in_seconds() == doctest::Approx(c.flow.run_time.in_seconds()).epsilon(1e-6));
  }
}

TEST_CASE("for drawn permutations derived buses are right by a third") {
  // What docs/reference/topology.md says of larger networks; the mean of three permutations.
  for (const NetworkFamily& family :
       {NetworkFamily(FatTree{6, 1}), NetworkFamily(FatTree{8, 2}), NetworkFamily(Torus{{8, 8}, 1}),
        NetworkFamily(Mesh{{8, 8}, 1}), NetworkFamily(Hypercube{6, 1}), NetworkFamily(HyperX{{4, 4}, 4}),
        NetworkFamily(Dragonfly{9, 1, 4, 2, 2, {}}), NetworkFamily(SlimFly{3, 3})}) {
    double flow = 0, derived = 0;
    for (const auto& c : compared(family, TrafficPattern::permutation)) {
      flow += c.flow.at_once;
      derived += c.derived.at_once;
    }
    CAPTURE(family.index());
    CHECK(derived / flow > 2. / 3);
    CHECK(derived / flow < 4. / 3);
  }
}

TEST_CASE("each seed draws another traffic, and none starts after a stop") {
  const auto all = compared(Torus{{4, 4}, 1}, TrafficPattern::random);
  REQUIRE(all.size() == 3);
  CHECK(all[2].seed == 3);
  CHECK(all[0].flow.run_time != all[1].flow.run_time);
  BusEquivalent e;
  e.message = Bandwidth::bytes_per_second(1e9);
  TopologyDescription d;
  d.family = StarNetwork{4};
  const auto none = compare_traffic(d, e, {.ranks = 4}, 3, [](double) { return false; });
  REQUIRE(none);
  CHECK(none->empty());
}
