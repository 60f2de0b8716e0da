#include "platforms/simgrid/bus_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace busline {

std::string simgrid_bus_zone(const SimGridMachine& machine, std::vector<std::string>& left_out) {
  std::string text = "<zone id=\"network\" routing=\"Cluster\">\n", ends;
  bool wide = false;
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    const auto& links = machine.nodes[i]->links;
    const auto latency = std::max(kLeastSimGridLatency, machine.latency_of(i));
    auto out = fmt::format("node-{}-out", i);
    auto in = fmt::format("node-{}-in", i);
    const bool shared = links.kind != Links::Kind::unlimited;
    wide = wide || (shared && std::max(links.in, links.out) > 1);
    text += simgrid_host(machine, i);
    const auto half = Duration::picoseconds((latency.count() + 1) / 2);
    if (links.kind == Links::Kind::full_duplex && links.in == links.out) {
      text += simgrid_split_link(fmt::format("l{}", i), machine.bandwidth() * links.out, half);
      out = fmt::format("l{}_UP", i);
      in = fmt::format("l{}_DOWN", i);
    } else if (links.kind == Links::Kind::half_duplex) {
      // Each message uses two of these links.
      in = out;
      text += simgrid_link(out, machine.bandwidth() * links.out, half, true);
    } else {
      const auto many = [&](Count n) { return machine.bandwidth() * (shared ? std::max(n, 1U) : 1U); };
      text +=
          simgrid_link(out, many(links.out), latency, shared) + simgrid_link(in, many(links.in), {}, shared);
    }
    ends += fmt::format("  <host_link id=\"node-{}\" up=\"{}\" down=\"{}\"/>\n", i, out, in);
  }
  text += ends;
  const auto b = machine.network().buses;
  if (b != kUnlimited) {
    text += fmt::format("  <backbone id=\"buses\" bandwidth=\"{}\" latency=\"0s\"/>\n",
                        simgrid_rate(machine.bandwidth() * b));
    if (wide)
      left_out.emplace_back(
          "the bandwidth of a single message where nodes have several links, all of which it can use");
  } else if (wide) {
    // Limits each message to the bandwidth of one link.
    text += fmt::format(
        "  <backbone id=\"full-speed\" bandwidth=\"{}\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n",
        simgrid_rate(machine.bandwidth()));
  }
  left_out.emplace_back("the cost of messages inside a node");
  return text.append("</zone>\n");
}

}  // namespace busline
