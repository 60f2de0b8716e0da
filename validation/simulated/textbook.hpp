// The machine and the small programs of the published Dimemas description's examples: 10 us and 100 MB/s
// (10^6 bytes) between nodes, so that 1 MB takes 10.01 ms and a byte 10 ns; 1 us and 1 GB/s inside a node.
#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "platforms/description/platform.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/durations.hpp"
#include "sim/program/program_builder.hpp"

namespace busline {
/// For the messages of failed tests.
inline std::ostream& operator<<(std::ostream& out, Duration d) {
  return out << d.count() << " ps";
}
}  // namespace busline

namespace busline::textbook {

inline constexpr Duration kLatency = us(10);
inline constexpr Duration kMemoryLatency = us(1);
inline constexpr std::uint64_t kMegabyte = 1'000'000;

/// Time of `bytes` on the network and inside a node, without latency.
constexpr Duration network(std::uint64_t bytes) {
  return Duration::picoseconds(static_cast<std::int64_t>(bytes) * 10'000);
}
constexpr Duration memory(std::uint64_t bytes) {
  return Duration::picoseconds(static_cast<std::int64_t>(bytes) * 1'000);
}

/// Unlimited links and buses, preset `published`, ranks mapped by filling nodes.
inline Platform machine(std::uint32_t nodes, std::uint32_t cpus = 1) {
  Platform p;
  p.name = "textbook";
  NodeGroup group;
  group.count = nodes;
  group.cpus = cpus;
  group.intra_node.latency = kMemoryLatency;
  group.intra_node.bandwidth = Bandwidth::bytes_per_second(1e9);
  MachineGroup m;
  m.name = "machine";
  m.nodes.push_back(group);
  m.network.latency = kLatency;
  m.network.bandwidth = Bandwidth::bytes_per_second(1e8);
  p.machines.push_back(m);
  return p;
}

inline Network& network_of(Platform& p) {
  return p.machines.front().network;
}
inline const Network& network_of(const Platform& p) {
  return p.machines.front().network;
}
inline NodeGroup& nodes_of(Platform& p) {
  return p.machines.front().nodes.front();
}
inline Links full_duplex(Count links) {
  return {Links::Kind::full_duplex, links, links};
}

/// Places the ranks and simulates.
inline Expected<Result> simulated(const Program& program, const Platform& platform,
                                  const std::string& model = "dimemas") {
  const auto placed = place_ranks(platform, program.ranks());
  if (!placed) return tl::unexpected(placed.error());
  SimulateOptions options;
  options.model = model;
  return simulate(program, platform, *placed, options);
}

/// When each rank ended.
inline std::vector<Duration> ends_of(const Result& r) {
  std::vector<Duration> ends;
  for (const auto& rank : r.ranks) ends.push_back(rank.end.since_start());
  return ends;
}

}  // namespace busline::textbook
