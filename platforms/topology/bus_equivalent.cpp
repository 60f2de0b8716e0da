#include "platforms/topology/bus_equivalent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "platforms/topology/halves.hpp"
#include "platforms/topology/link_flow.hpp"

namespace busline {
namespace {

// Rates in bytes per second; if no link has a bandwidth, fractions of an unslowed link.
struct Rates {
  std::vector<double> links;
  double host = 0;  // of the slowest port
  bool in_bytes = false;
};

Rates rates(const Topology& topology, Bandwidth of_network) {
  const auto& kinds = topology.figures();
  const bool none =
      of_network.is_unlimited() &&
      std::none_of(kinds.begin(), kinds.end(), [](const LinkFigures& f) { return f.bandwidth.has_value(); });
  const auto rate = [&](std::uint32_t directed_link) {
    const auto& f = topology.figures_of(directed_link);
    return none ? f.speed : f.rate(of_network).in_bytes_per_second();
  };
  Rates r;
  r.in_bytes = !none;
  for (std::uint32_t l = 0; l < topology.links(); ++l) r.links.push_back(rate(2 * l));
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const auto host = rate(topology.host_up(h));
    r.host = h == 0 ? host : std::min(r.host, host);
  }
  return r;
}

// A single message gets the bandwidth of the narrowest part of its route: its host's link, or the links
// between switches.
double message_rate(const Rates& r) {
  const auto widest = std::max_element(r.links.begin(), r.links.end());
  return widest == r.links.end() ? r.host : std::min(r.host, *widest);
}

std::uint32_t whole_buses(double buses, std::uint32_t hosts) {
  return static_cast<std::uint32_t>(std::clamp(std::round(buses), 1.0, double(hosts)));
}

// For `hosts` concurrent messages on links that can carry `limit` of them if used evenly: on its busiest link
// a message meets as many others as a link carries on average, hosts / limit for each that the link could
// carry. `each` is the number that a link carries.
double meeting(double hosts, double limit, double each) {
  return hosts * std::min(1.0, 1 / (1 / each + hosts / limit));
}

}  // namespace

BusEquivalent bus_equivalent(const Topology& topology, const TopologyFigures& figures, Bandwidth of_network) {
  BusEquivalent e;
  e.links = topology.host_ports();
  const auto r = rates(topology, of_network);
  const auto message = message_rate(r);
  const auto n = topology.hosts();
  if (r.in_bytes) e.message = Bandwidth::bytes_per_second(message);
  // The number of messages that a link carries, in millionths, since flows are whole numbers; capped at the
  // number that all hosts send.
  constexpr double kParts = 1e6;
  const auto messages = [&](double rate) {
    return rate >= message * n * e.links ? double(n) * e.links : rate / message;
  };
  bool equal = true;
  for (const auto rate : r.links) {
    e.capacity += 2 * messages(rate);
    equal = equal && rate == r.links.front();
  }
  if (figures.bisection.first_hosts == 0 || std::isinf(message)) {  // one switch, or nothing takes time
    e.cut = e.capacity = n;
  } else if (equal) {
    e.cut = static_cast<double>(figures.bisection.links) * messages(r.links.front());
  } else {
    std::vector<std::int64_t> capacity;
    for (const auto rate : r.links) capacity.push_back(std::llround(messages(rate) * kParts));
    LinkFlow flow(topology, capacity);
    auto least = flow.between(halves_in_order(topology).sides);
    for (const auto& halves : other_halves(topology))
      if (halves.first_hosts > 0) least = std::min(least, flow.between(halves.sides));
    e.cut = static_cast<double>(least) / kParts;
  }
  const auto by_distance = figures.mean_host_hops > 0 ? e.capacity / figures.mean_host_hops : double(n);
  const auto limit = std::min(4 * e.cut, by_distance);
  e.worst_limit = whole_buses(std::floor(2 * e.cut), n);
  e.random_limit = whole_buses(std::floor(limit), n);
  const bool one_switch = topology.links() == 0;
  const auto each = one_switch ? double(n) : e.capacity / (2.0 * topology.links());
  e.worst_buses = one_switch ? n : whole_buses(meeting(n, 2 * e.cut, each), n);
  e.random_buses = one_switch ? n : whole_buses(meeting(n, limit, each), n);
  return e;
}

}  // namespace busline
