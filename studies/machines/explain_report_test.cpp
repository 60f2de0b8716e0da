#include "studies/machines/explain_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace busline;

namespace {

// The platform of the published description's worked examples: L = 10 us, BW = 100 MB/s, here with 16 nodes
// and 5 buses.
Platform worked_example() {
  Platform p;
  p.name = "worked";
  MachineGroup machine;
  NodeGroup group;
  group.count = 16;
  group.intra_node.latency = Duration::picoseconds(1'000'000);
  group.intra_node.bandwidth = Bandwidth::bytes_per_second(1e9);
  machine.nodes = {group};
  machine.network.latency = Duration::picoseconds(10'000'000);
  machine.network.bandwidth = Bandwidth::bytes_per_second(1e8);
  machine.network.buses = 5;
  p.machines = {machine};
  p.mpi.rendezvous_from = Bytes{65536};
  return p;
}

}  // namespace

TEST_CASE("a message is explained by route and size, with its protocol") {
  ExplainOptions options;
  options.message_sizes = {Bytes{0}, Bytes{1'000'000}};
  const auto e = explain(worked_example(), options);
  REQUIRE(e);
  REQUIRE(e->messages.size() == 2);
  CHECK(e->messages[0].route == "inside a node");
  CHECK(e->messages[0].by_size[0].total == Duration::picoseconds(1'000'000));
  const auto& between = e->messages[1];
  CHECK(between.route == "between nodes");
  CHECK(between.by_size[0].protocol == Protocol::eager);
  CHECK(between.by_size[1].protocol == Protocol::rendezvous);
  // 10 us + 10^6 B / 100 MB/s = 10.01 ms
  CHECK(between.by_size[1].total == Duration::picoseconds(10'010'000'000));
}

TEST_CASE("a collective is explained with the formula's figures put in") {
  ExplainOptions options;
  options.collective_size = Bytes{1'000'000};
  const auto p = worked_example();
  const auto e = explain(p, options);
  REQUIRE(e);
  CHECK(e->ranks == 16);
  const auto& bcast = e->collectives[static_cast<std::size_t>(CollectiveKind::bcast)];
  // 16 ranks on 5 buses: 2 + 1 + 1 + 1 steps of 10.01 ms.
  CHECK(bcast.total == Duration::picoseconds(50'050'000'000));
  const auto text = to_text(p, *e);
  CHECK(text.find("MPI_Bcast                     50.05 ms = (10 us + 1000000 B / 100 MB/s) x 5\n") !=
        text.npos);
  CHECK(text.find("Collectives of 16 ranks, one on each node, 1000000 B per peer") != text.npos);
  const auto j = to_json(p, *e);
  CHECK(j["collectives"][1]["fan_out"]["factor"] == 5);
  CHECK(j["collectives"][1]["total_ps"] == 50'050'000'000);
}

TEST_CASE("a platform of one node explains collectives among its CPUs") {
  auto p = worked_example();
  p.machines[0].nodes[0].count = 1;
  p.machines[0].nodes[0].cpus = 4;
  const auto e = explain(p, {});
  REQUIRE(e);
  CHECK(e->messages.size() == 1);
  CHECK(e->ranks == 4);
  // A Barrier's two phases of two steps at the memory's latency of 1 us.
  CHECK(e->collectives[0].total == Duration::picoseconds(4'000'000));
}

TEST_CASE("unusual members of a platform are shown") {
  auto p = worked_example();
  p.preset = Preset::dimemas_5_5;
  p.machines.push_back(p.machines[0]);
  p.machines[0].name = "near";
  p.machines[1].name = "far";
  p.machines[0].nodes[0].links = {Links::Kind::half_duplex, 2, 2};
  p.machines[0].network.size_classes = {{Bytes{4096}, 2, 0.5}};
  p.wan.latency = Duration::picoseconds(5'000'000'000);
  p.wan.bandwidth = Bandwidth::bytes_per_second(1e6);
  p.dedicated_connections.resize(3);
  p.context_switch = Duration::picoseconds(2'000'000);
  p.mapping.kind = Mapping::Kind::round_robin;
  p.launch.distribute = Launch::Distribute::local;
  const auto e = explain(p, {});
  REQUIRE(e);
  const auto shows = [&](const std::string& line) { return to_text(p, *e).find(line) != std::string::npos; };
  CHECK(shows("machine 0 near\n"));
  CHECK(shows("    network links 2 half duplex\n"));
  CHECK(shows("                  from 4 KiB: latency x 2, bandwidth x 0.5\n"));
  CHECK(shows("  WAN             latency 5 ms (paid on the CPUs), 1 MB/s\n"));
  CHECK(shows("  connections     3 dedicated\n"));
  CHECK(shows("  context switch  2 us\n"));
  CHECK(shows("  mapping         round-robin over the nodes\n"));
  CHECK(shows(", 0.05 of it, from each node's own file system\n"));
  CHECK(
      shows("  The time is the sum over network, nodes and WAN; the formula is that of the most expensive "
            "part.\n"));
  p.launch.distribute = Launch::Distribute::cached;
  p.mapping.kind = Mapping::Kind::per_node;
  p.mapping.per_node = 2;
  CHECK(shows("    executable    already on the nodes\n"));
  CHECK(shows("  mapping         2 ranks per node\n"));
  p.mapping.kind = Mapping::Kind::nodes;
  p.mapping.nodes = {0, 1, 1};
  CHECK(shows("  mapping         explicit, for 3 ranks\n"));
}

TEST_CASE("ranks are placed by the platform's mapping, and refused if they do not fit") {
  auto p = worked_example();
  p.mapping.kind = Mapping::Kind::per_node;
  p.mapping.per_node = 2;
  ExplainOptions options;
  options.ranks = 4;
  CHECK(explain(p, options)->ranks == 4);
  options.ranks = 33;
  CHECK_FALSE(explain(p, options));
}

TEST_CASE("launch costs are shown where they differ from the defaults") {
  auto p = worked_example();
  const auto e = explain(p, {});
  REQUIRE(e);
  CHECK(to_text(p, *e).find("  launch ") == std::string::npos);
  p.launch.fan_out = kUnlimited;
  CHECK(
      to_text(p, *e).find(
          "  launch          30 ms, then 2 ms for each child, fan-out unlimited; daemons 200 ms\n"
          "    executable    read at 2 GB/s after 5 ms, 0.05 of it, from a file system shared by all nodes\n"
          "    processes     5 ms for 1 at once\n"
          "    MPI_Init      100 ms, and all receive 256 B from each rank\n"
          "    connections   500 us each, when two ranks first meet\n") != std::string::npos);
  p.launch.distribute = Launch::Distribute::broadcast;
  p.launch.modex = Launch::Modex::none;
  p.launch.connect = Launch::Connect::init;
  const auto text = to_text(p, *e);
  CHECK(text.find("    executable    sent down the tree of daemons\n") != std::string::npos);
  CHECK(text.find("    MPI_Init      100 ms, addresses are looked up later\n"
                  "    connections   500 us each, to all ranks in MPI_Init\n") != std::string::npos);
}
