#include "platforms/simgrid/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "sim/base/quantity.hpp"

namespace busline {
namespace {

// Stands for unlimited links, since SimGrid's links have a limit.
constexpr double kNoLimit = 1e18;

}  // namespace

SimGridMachine::SimGridMachine(const MachineGroup& machine) : group(machine) {
  for (const auto& g : machine.nodes)
    for (std::uint32_t i = 0; i < g.count; ++i) nodes.push_back(&g);
}

std::string simgrid_time(Duration d) {
  if (d == Duration()) return "0s";
  auto text = to_text(d);
  std::erase(text, ' ');
  return text;
}

std::string simgrid_rate(double bytes_per_second) {
  return fmt::format("{}Bps", std::min(bytes_per_second, kNoLimit));
}

std::string simgrid_host(const SimGridMachine& machine, std::size_t node) {
  const auto& g = *machine.nodes[node];
  return fmt::format("  <host id=\"node-{}\" speed=\"{}Gf\" core=\"{}\"/>\n", node,
                     std::min(g.relative_speed, 1e9), g.cpus);
}

std::string simgrid_link(const std::string& id, double bytes_per_second, Duration latency, bool shared) {
  return fmt::format("  <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"{}\"/>\n", id,
                     simgrid_rate(bytes_per_second), simgrid_time(latency), shared ? "SHARED" : "FATPIPE");
}

std::string simgrid_split_link(const std::string& id, double bytes_per_second, Duration latency) {
  return fmt::format("  <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                     id, simgrid_rate(bytes_per_second), simgrid_time(latency));
}

}  // namespace busline
