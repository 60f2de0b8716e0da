#include "platforms/simgrid/left_out.hpp"

#include <algorithm>
#include <cmath>

namespace busline {

std::vector<std::string> simgrid_left_out(const Platform& platform) {
  const auto& machine = platform.machines.front();
  const auto& network = machine.network;
  std::vector<std::string> left_out;
  const auto leave = [&](bool it, const char* what) {
    if (it) left_out.emplace_back(what);
  };
  const auto any = [&](auto test) { return std::any_of(machine.nodes.begin(), machine.nodes.end(), test); };
  leave(any([](const NodeGroup& g) { return g.overheads != Overheads(); }), "overheads of messages");
  leave(any([](const NodeGroup& g) {
          return g.intra_node.buses != kUnlimited || g.intra_node.links.kind != Links::Kind::unlimited;
        }),
        "buses and links of the memory");
  leave(any([](const NodeGroup& g) { return g.self.has_value(); }), "figures of messages to oneself");
  leave(any([](const NodeGroup& g) { return g.shared_cpus; }), "CPUs that nodes share");
  leave(any([](const NodeGroup& g) { return g.waiting == NodeGroup::Waiting::polling; }), "ranks that poll");
  leave(any([](const NodeGroup& g) { return !std::isfinite(g.relative_speed); }),
        "unlimited speeds, which become 1e9 times the others");
  leave(network.latency_at == Network::LatencyAt::cpu && network.latency > Duration(),
        "latencies paid as CPU time");
  leave(!network.size_classes.empty(), "size classes");
  leave(platform.mpi.rendezvous_from.has_value() || platform.mpi.handshake > Duration(),
        "the eager limit and the handshake (in SMPI, smpi/send-is-detached-thresh)");
  leave(platform.mpi.collectives != CollectiveTable() || machine.collectives != CollectiveTable(),
        "the cost of collectives (in SMPI, smpi/coll-selector)");
  leave(platform.mapping != Mapping(), "the mapping of ranks (in SMPI, a hostfile)");
  leave(!platform.modules.empty(), "factors of modules");
  if (!network.topology)
    leave(network.sharing == Network::Sharing::exclusive || network.sharing == Network::Sharing::queues,
          "messages taking links and buses one after the other: SimGrid's share them");
  else
    leave(network.topology->routing == Routing::valiant, "a different route for each message");
  return left_out;
}

}  // namespace busline
