// Splits a network's hosts into two halves, for its bisection.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "platforms/topology/link_flow.hpp"
#include "platforms/topology/topology.hpp"

namespace busline {

/// A side for each switch; switches without hosts are on `either`.
struct HostHalves {
  std::string name;
  std::vector<CutSide> sides;
  std::uint32_t first_hosts = 0, second_hosts = 0;
};

/// Hosts in their order: the first half against the second. A switch is never split, so the halves can differ
/// by its hosts.
HostHalves halves_in_order(const Topology& topology);

/// Further halves, which may be cheaper to separate: along each dimension of a grid; else by distance from a
/// switch. Finding the best one is NP-hard. Cost: linear in the links for each.
std::vector<HostHalves> other_halves(const Topology& topology);

/// Exchanges switches between the halves while that takes links out of the cut (the first step of Kernighan
/// and Lin 1970). Only where all switches have the same number of hosts; else returns the halves unchanged.
/// Cost: linear in the switches for each exchange.
HostHalves improved(const Topology& topology, HostHalves halves);

}  // namespace busline
