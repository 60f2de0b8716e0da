#include "platforms/topology/halves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>

#include "platforms/topology/hop_counts.hpp"

namespace busline {
namespace {

std::vector<std::uint32_t> hosts_by_switch(const Topology& topology) {
  std::vector<std::uint32_t> hosts(topology.switches());
  for (const auto s : topology.host_switches()) ++hosts[s];
  return hosts;
}

// The first half is the front of `order`, up to the switch that comes closest to half of the hosts.
HostHalves cut_order(const Topology& topology, const std::vector<std::uint32_t>& order, std::string name) {
  const auto hosts = hosts_by_switch(topology);
  HostHalves halves{std::move(name), std::vector<CutSide>(topology.switches(), CutSide::either), 0, 0};
  const auto all = topology.hosts();
  bool first = true;
  for (const auto s : order) {
    if (hosts[s] == 0) continue;
    // The switch joins the first half if that brings the half closer to the middle.
    first = first && std::int64_t{hosts[s]} < std::int64_t{all} - 2 * std::int64_t{halves.first_hosts};
    halves.sides[s] = first ? CutSide::first : CutSide::second;
    (first ? halves.first_hosts : halves.second_hosts) += hosts[s];
  }
  return halves;
}

// The numbers of a grid's switches with dimension `slow` as the slowest.
std::vector<std::uint32_t> order_along(const GridShape& grid, std::size_t slow, std::uint32_t switches) {
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < slow; ++d) stride *= grid.dimensions[d];
  const auto n = grid.dimensions[slow];
  std::vector<std::uint32_t> order(switches);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return a / stride % n < b / stride % n; });
  return order;
}

std::vector<std::uint32_t> order_by_distance(const std::vector<std::uint16_t>& hops) {
  std::vector<std::uint32_t> order(hops.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hops[a] < hops[b]; });
  return order;
}

}  // namespace

HostHalves halves_in_order(const Topology& topology) {
  std::vector<std::uint32_t> order(topology.host_switches());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  return cut_order(topology, order, "in order");
}

std::vector<HostHalves> other_halves(const Topology& topology) {
  std::vector<HostHalves> all;
  if (const auto* grid = std::get_if<GridShape>(&topology.shape())) {
    for (std::size_t d = 0; d < grid->dimensions.size(); ++d)
      if (grid->dimensions[d] > 1)
        all.push_back(cut_order(topology, order_along(*grid, d, topology.switches()),
                                fmt::format("along dimension {}", d + 1)));
    return all;
  }
  if (topology.switches() < 2) return all;
  BreadthSearch search(topology);
  // From the first switch, and from one of those farthest from it, which in a long network is at its end.
  const auto from_first = search.from(0);
  all.push_back(cut_order(topology, order_by_distance(from_first), "by distance from switch 0"));
  const auto far =
      static_cast<std::uint32_t>(std::max_element(from_first.begin(), from_first.end()) - from_first.begin());
  all.push_back(cut_order(topology, order_by_distance(search.from(far)),
                          fmt::format("by distance from switch {}", far)));
  return all;
}

HostHalves improved(const Topology& topology, HostHalves halves) {
  const auto hosts = hosts_by_switch(topology);
  if (std::adjacent_find(hosts.begin(), hosts.end(), std::not_equal_to<>()) != hosts.end()) return halves;
  const auto n = topology.switches();
  // The links that moving a single switch would take out of the cut.
  std::vector<std::int64_t> gain(n);
  for (std::uint32_t s = 0; s < n; ++s)
    for (const auto& port : topology.ports(s))
      gain[s] += halves.sides[port.neighbour] == halves.sides[s] ? -1 : 1;
  const auto move = [&](std::uint32_t s) {
    gain[s] = -gain[s];
    halves.sides[s] = halves.sides[s] == CutSide::first ? CutSide::second : CutSide::first;
    for (const auto& port : topology.ports(s))
      gain[port.neighbour] += halves.sides[port.neighbour] == halves.sides[s] ? -2 : 2;
  };
  // The best switch of a side to move; never `moved` itself.
  const auto best = [&](CutSide side, std::uint32_t moved) {
    std::uint32_t chosen = n;
    for (std::uint32_t s = 0; s < n; ++s)
      if (halves.sides[s] == side && s != moved && (chosen == n || gain[s] > gain[chosen])) chosen = s;
    return chosen;
  };
  bool changed = false;
  for (;;) {
    const auto a = best(CutSide::first, n);
    if (a == n) break;
    const auto gain_of_a = gain[a];
    move(a);
    const auto b = best(CutSide::second, a);
    if (b == n || gain_of_a + gain[b] <= 0) {  // gain[b] takes a's move into account
      move(a);
      break;
    }
    move(b);
    changed = true;
  }
  if (changed) halves.name += ", improved by exchanges";
  return halves;
}

}  // namespace busline
