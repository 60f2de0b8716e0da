#include "validation/compare/network_traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/assert.hpp"

namespace busline::compare {
namespace {

// A node for each host, and nothing that costs time but the network.
Platform machine_of(std::uint32_t hosts, const BusEquivalent& equivalent) {
  Platform p;
  p.name = "traffic";
  NodeGroup nodes;
  nodes.count = hosts;
  nodes.links = {Links::Kind::full_duplex, equivalent.links, equivalent.links};
  MachineGroup machine;
  machine.nodes.push_back(nodes);
  machine.network.bandwidth = equivalent.message;
  machine.network.sharing = Network::Sharing::fair;
  p.machines.push_back(machine);
  return p;
}

Expected<TrafficFigures> figures(const Program& program, const Platform& platform, const std::string& model,
                                 Duration alone) {
  const auto placed = place_ranks(platform, program.ranks());
  if (!placed) return tl::unexpected(placed.error());
  SimulateOptions options;
  options.model = model;
  const auto result = simulate(program, platform, *placed, options);
  if (!result) return tl::unexpected(result.error());
  return TrafficFigures{result->run_time.since_start(), messages_at_once(result->marks, alone)};
}

}  // namespace

double messages_at_once(const std::vector<MarkedTime>& marks, Duration alone) {
  // Until the first host has no more to send. A message that is in progress then counts with the share of its
  // time that has passed.
  auto until = Time::never();
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (i + 1 == marks.size() || marks[i + 1].rank != marks[i].rank) until = std::min(until, marks[i].time);
  const auto window = until.since_start().in_seconds();
  if (marks.empty() || window <= 0) return 0;
  double messages = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool first = i == 0 || marks[i - 1].rank != marks[i].rank;
    const auto begin = first ? 0 : marks[i - 1].time.since_start().in_seconds();
    const auto end = marks[i].time.since_start().in_seconds();
    if (end <= window)
      ++messages;
    else if (begin < window)
      messages += (window - begin) / (end - begin);
  }
  return messages * alone.in_seconds() / window;
}

Expected<std::vector<TrafficComparison>> compare_traffic(const TopologyDescription& description,
                                                         const BusEquivalent& equivalent,
                                                         const Traffic& traffic, std::uint32_t seeds,
                                                         const std::function<bool(double)>& progress) {
  SIM_ASSERT(!equivalent.message.is_unlimited());
  const auto no_buses = machine_of(traffic.ranks, equivalent);
  auto derived = no_buses, flow = no_buses;
  derived.machines[0].network.buses =
      traffic.pattern == TrafficPattern::bisection ? equivalent.worst_buses : equivalent.random_buses;
  flow.machines[0].network.topology = description;
  const auto alone = traffic.size / equivalent.message;
  std::vector<TrafficComparison> all;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    if (!progress(static_cast<double>(i) / seeds)) break;
    auto seeded = traffic;
    seeded.seed += i;
    const auto program = traffic_pattern(seeded);
    TrafficComparison c;
    c.seed = seeded.seed;
    c.buses = derived.machines[0].network.buses;
    const auto take = [&](TrafficFigures& into, const Platform& platform,
                          const std::string& model) -> Expected<void> {
      auto found = figures(program, platform, model, alone);
      if (!found) return tl::unexpected(std::move(found.error()));
      into = *found;
      return {};
    };
    if (auto taken = take(c.flow, flow, "flow"); !taken) return tl::unexpected(std::move(taken.error()));
    if (auto taken = take(c.derived, derived, "dimemas"); !taken)
      return tl::unexpected(std::move(taken.error()));
    if (auto taken = take(c.no_buses, no_buses, "dimemas"); !taken)
      return tl::unexpected(std::move(taken.error()));
    all.push_back(c);
  }
  return all;
}

}  // namespace busline::compare
