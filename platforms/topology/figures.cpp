#include "platforms/topology/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "platforms/topology/halves.hpp"
#include "platforms/topology/hop_counts.hpp"
#include "platforms/topology/link_flow.hpp"

namespace busline {
namespace {

void count_degrees(const Topology& topology, TopologyFigures& f) {
  f.least_degree = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    const auto degree = static_cast<std::uint32_t>(topology.ports(s).size());
    f.least_degree = std::min(f.least_degree, degree);
    f.degree = std::max(f.degree, degree);
  }
}

void measure_distances(const Topology& topology, TopologyFigures& f) {
  const auto n = topology.switches();
  std::vector<std::uint64_t> hosts(n);
  for (const auto s : topology.host_switches()) ++hosts[s];
  BreadthSearch search(topology);
  // Whole numbers, so that the means do not depend on the order of additions.
  std::uint64_t hops_of_switches = 0, hops_of_hosts = 0;
  for (std::uint32_t s = 0; s < n; ++s) {
    const auto& hops = search.from(s);
    std::uint64_t from_hosts = 0;
    for (std::uint32_t t = 0; t < n; ++t) {
      f.diameter = std::max(f.diameter, std::uint32_t{hops[t]});
      hops_of_switches += hops[t];
      from_hosts += hops[t] * hosts[t];
    }
    hops_of_hosts += from_hosts * hosts[s];
  }
  const auto mean = [](std::uint64_t sum, double things) {
    return things > 1 ? static_cast<double>(sum) / (things * (things - 1)) : 0.0;
  };
  f.mean_hops = mean(hops_of_switches, n);
  f.mean_host_hops = mean(hops_of_hosts, f.hosts);
}

HalvesCut cut(LinkFlow& flow, const HostHalves& halves) {
  HalvesCut c{0, halves.first_hosts, halves.second_hosts, halves.name};
  if (halves.first_hosts > 0) c.links = static_cast<std::uint64_t>(flow.between(halves.sides));
  return c;
}

void find_bisection(const Topology& topology, LinkFlow& flow, TopologyFigures& f) {
  auto best = halves_in_order(topology);
  f.in_order = f.bisection = cut(flow, best);
  if (best.first_hosts == 0) return;  // one switch
  const auto keep_if_smaller = [&](HostHalves halves) {
    const auto c = cut(flow, halves);
    if (c.first_hosts == 0 || c.links >= f.bisection.links) return;
    f.bisection = c;
    best = std::move(halves);
  };
  for (auto& halves : other_halves(topology)) keep_if_smaller(std::move(halves));
  keep_if_smaller(improved(topology, best));
}

// Pairs of host switches: from some, spread evenly over all, each to the switch half of all further on.
void count_paths(const Topology& topology, LinkFlow& flow, TopologyFigures& f) {
  auto switches = topology.host_switches();
  std::sort(switches.begin(), switches.end());
  switches.erase(std::unique(switches.begin(), switches.end()), switches.end());
  const auto n = switches.size();
  const auto pairs = std::min<std::size_t>(n > 1 ? n : 0, TopologyFigures::kSampledPairs);
  std::int64_t sum = 0, least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto from = i * n / pairs;
    const auto paths = flow.between(switches[from], switches[(from + n / 2) % n]);
    sum += paths;
    least = std::min(least, paths);
  }
  if (pairs == 0) return;
  f.least_paths = static_cast<std::uint32_t>(least);
  f.mean_paths = static_cast<double>(sum) / static_cast<double>(pairs);
}

// Every cut separates switch 0 from some other switch.
std::uint32_t connectivity(const Topology& topology, LinkFlow& flow) {
  auto least = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t s = 1; s < topology.switches(); ++s) least = std::min(least, flow.between(0, s));
  return static_cast<std::uint32_t>(least);
}

}  // namespace

Expected<TopologyFigures> figures_of(const Topology& topology) {
  if (topology.switches() > HopCounts::kMostSwitchesInTable) {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.message =
        fmt::format("the network has {} switches, expected {} at most: larger networks are not analysed",
                    topology.switches(), HopCounts::kMostSwitchesInTable);
    return tl::unexpected(std::move(e));
  }
  TopologyFigures f;
  f.hosts = topology.hosts();
  f.switches = topology.switches();
  f.links = topology.links();
  f.cables = std::uint64_t{f.links} + std::uint64_t{f.hosts} * topology.host_ports();
  count_degrees(topology, f);
  measure_distances(topology, f);
  LinkFlow flow(topology);
  find_bisection(topology, flow, f);
  count_paths(topology, flow, f);
  if (f.switches > 1 && f.switches <= TopologyFigures::kMostForConnectivity)
    f.connectivity = connectivity(topology, flow);
  return f;
}

}  // namespace busline
