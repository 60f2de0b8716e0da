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
  leave(any([](const NodeGroup& g) { return !std::isfinite(g.relative_speed); }),
        "speeds without a limit, which are 1e9 times the others");
  leave(network.latency_at == Network::LatencyAt::cpu && network.latency > Duration(),
        "that latencies are paid on the CPU");
  leave(!network.size_classes.empty(), "size classes");
  leave(platform.mpi.rendezvous_from.has_value() || platform.mpi.handshake > Duration(),
        "the eager limit and the handshake, of which smpi/send-is-detached-thresh is SMPI's");
  leave(platform.mpi.collectives != CollectiveTable() || machine.collectives != CollectiveTable(),
        "what collectives cost, of which smpi/coll-selector is SMPI's");
  leave(platform.mapping != Mapping(), "the mapping of ranks, which is a hostfile's");
  leave(!platform.modules.empty(), "factors of modules");
  if (!network.topology)
    leave(network.sharing == Network::Sharing::exclusive || network.sharing == Network::Sharing::queues,
          "that messages take links and buses one after the other: SimGrid's share them");
  else
    leave(network.topology->routing == Routing::valiant, "that each message has another way");
  return left_out;
}

}  // namespace busline
