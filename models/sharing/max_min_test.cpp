#include "models/sharing/max_min.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/random.hpp"

using namespace busline;

namespace {

using Way = std::vector<std::uint32_t>;

/// Rates of flows with these routes, numbered in order, on resources with these capacities.
std::vector<double> rates(const std::vector<double>& capacities, const std::vector<Way>& ways) {
  MaxMinRates solver;
  for (const double c : capacities) solver.add_resource(c);
  for (std::uint32_t f = 0; f < ways.size(); ++f) solver.start(f, ways[f]);
  solver.settle([](auto, auto) {});
  std::vector<double> all;
  for (std::uint32_t f = 0; f < ways.size(); ++f) all.push_back(solver.rate(f));
  return all;
}

/// By definition: all rates grow at the same pace; a flow that reaches a full resource stops growing.
std::map<std::uint32_t, double> filled(const std::vector<double>& capacities,
                                       const std::map<std::uint32_t, Way>& ways) {
  std::map<std::uint32_t, double> fixed;
  while (fixed.size() < ways.size()) {
    double level = 1;
    std::vector<double> left = capacities;
    std::vector<int> growing(capacities.size());
    for (const auto& [f, way] : ways)
      for (const auto r : way) {
        if (fixed.count(f) != 0)
          left[r] -= fixed[f];
        else
          ++growing[r];
      }
    for (std::size_t r = 0; r < left.size(); ++r)
      if (growing[r] > 0) level = std::min(level, left[r] / growing[r]);
    const auto before = fixed;
    for (const auto& [f, way] : ways) {
      if (before.count(f) != 0) continue;
      const bool full = std::any_of(way.begin(), way.end(),
                                    [&](std::uint32_t r) { return left[r] / growing[r] <= level + 1e-9; });
      if (full || level == 1) fixed[f] = level;
    }
  }
  return fixed;
}

}  // namespace

TEST_CASE("a single flow runs at full speed") {
  CHECK(rates({1}, {{0}}) == std::vector<double>{1});
  CHECK(rates({5}, {{0}}) == std::vector<double>{1});
  CHECK(rates({}, {{}}) == std::vector<double>{1});
}

TEST_CASE("n flows over a resource of capacity c have min(1, c / n) each") {
  for (const std::size_t n : {1U, 2U, 3U, 7U})
    for (const double c : {1., 2., 3.}) {
      const auto each = std::min(1., c / static_cast<double>(n));
      CHECK(rates({c}, std::vector<Way>(n, {0})) == std::vector<double>(n, each));
    }
}

TEST_CASE("a flow limited elsewhere leaves the rest to the others") {
  // Three share resource 0; one of those is alone with the fourth on resource 1.
  CHECK(rates({1, 1}, {{0}, {0}, {0, 1}, {1}}) == std::vector<double>{1. / 3, 1. / 3, 1. / 3, 1 - 1. / 3});
}

TEST_CASE("when a flow ends, its share goes to those that it limited") {
  MaxMinRates solver;
  solver.add_resource(1);
  solver.add_resource(1);
  const std::array<Way, 3> ways{{{0}, {0, 1}, {1}}};
  for (std::uint32_t f = 0; f < 3; ++f) solver.start(f, ways[f]);
  solver.settle([](auto, auto) {});
  CHECK(solver.rate(2) == 0.5);
  CHECK(solver.bottleneck(1) == 0);
  solver.end(0);
  std::vector<std::uint32_t> changed;
  solver.settle([&](std::uint32_t flow, double) { changed.push_back(flow); });
  CHECK(changed == std::vector<std::uint32_t>{1});  // no faster: now limited by resource 1
  CHECK(solver.rate(1) == 0.5);
  CHECK(solver.bottleneck(1) == 1);
  changed.clear();
  solver.end(1);
  solver.settle([&](std::uint32_t flow, double rate) {
    changed.push_back(flow);
    CHECK(rate == 1);
  });
  CHECK(changed == std::vector<std::uint32_t>{2});
  CHECK(solver.bottleneck(2) == MaxMinRates::kNobody);
}

TEST_CASE("resources far from a change are not visited") {
  MaxMinRates solver;
  for (int i = 0; i < 4; ++i) solver.add_resource(1);
  for (std::uint32_t f = 0; f < 6; ++f) solver.start(f, Way{f / 2});
  solver.settle([](auto, auto) {});
  solver.end(1);
  std::vector<std::uint32_t> changed;
  solver.settle([&](std::uint32_t flow, double) { changed.push_back(flow); });
  CHECK(changed == std::vector<std::uint32_t>{0});
}

TEST_CASE("flows that come and go always have the rates of progressive filling") {
  Random random(20261120);
  for (int round = 0; round < 200; ++round) {
    const auto nodes = static_cast<std::uint32_t>(random.below(8)) + 2;
    std::vector<double> capacities;
    MaxMinRates solver;
    for (std::uint32_t i = 0; i < 2 * nodes + 1; ++i) {
      capacities.push_back(static_cast<double>(random.below(3) + 1));
      solver.add_resource(capacities.back());
    }
    std::map<std::uint32_t, Way> ways;
    for (int step = 0; step < 60; ++step) {
      if (!ways.empty() && random.below(5) < 2) {
        const auto gone = std::next(
            ways.begin(), static_cast<std::ptrdiff_t>(random.below(static_cast<std::uint32_t>(ways.size()))));
        solver.end(gone->first);
        ways.erase(gone);
      } else {
        std::uint32_t flow = 0;
        while (ways.count(flow) != 0) ++flow;
        const auto a = static_cast<std::uint32_t>(random.below(nodes));
        const auto b = static_cast<std::uint32_t>(random.below(nodes));
        ways[flow] = {a, 2 * nodes, nodes + b};
        solver.start(flow, ways[flow]);
      }
      solver.settle([](auto, auto) {});
      const auto expected = filled(capacities, ways);
      for (const auto& flow : expected) {
        CAPTURE(round);
        CAPTURE(step);
        CAPTURE(flow.first);
        CHECK(solver.rate(flow.first) == doctest::Approx(flow.second).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("flows that share a number have the rates that they would have under numbers of their own") {
  Random random(20261123);
  for (int round = 0; round < 100; ++round) {
    MaxMinRates together, apart;
    for (int i = 0; i < 5; ++i) {
      const double capacity = random.below(4) + 1;
      together.add_resource(capacity);
      apart.add_resource(capacity);
    }
    const std::array<Way, 6> ways{{{0}, {1}, {0, 1}, {0, 2}, {1, 2, 3}, {3, 4}}};
    std::array<std::vector<std::uint32_t>, ways.size()> flows;  // their own numbers, by route
    std::uint32_t unused = 0;
    for (int step = 0; step < 50; ++step) {
      const auto way = random.below(ways.size());
      if (flows[way].empty() || random.below(5) < 3) {
        flows[way].empty() ? together.start(way, ways[way]) : together.join(way);
        apart.start(unused, ways[way]);
        flows[way].push_back(unused++);
      } else {
        together.end(way);
        apart.end(flows[way].back());
        flows[way].pop_back();
      }
      together.settle([](auto, auto) {});
      apart.settle([](auto, auto) {});
      for (std::uint32_t w = 0; w < ways.size(); ++w)
        for (const auto flow : flows[w]) {
          CAPTURE(round);
          CAPTURE(step);
          CHECK(together.rate(w) == doctest::Approx(apart.rate(flow)).epsilon(1e-12));
        }
      for (std::uint32_t r = 0; r < 5; ++r) CHECK(together.peak_flows_on(r) == apart.peak_flows_on(r));
    }
  }
}

TEST_CASE("a change is told once for all flows under a number") {
  MaxMinRates solver;
  solver.add_resource(1);
  solver.start(0, Way{0});
  for (int i = 0; i < 99; ++i) solver.join(0);
  int told = 0;
  const auto tell = [&](std::uint32_t, double rate) {
    ++told;
    CHECK(rate == 1. / (101 - told));
  };
  solver.settle(tell);
  solver.end(0);
  solver.settle(tell);
  CHECK(told == 2);
}
