#include "platforms/mapping.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace busline;

namespace {

IdVector<RankId, NodeId> nodes(std::initializer_list<std::uint32_t> numbers) {
  IdVector<RankId, NodeId> all;
  for (const auto n : numbers) all.push_back(NodeId{n});
  return all;
}

// Two nodes of two CPUs, then one of four, in two machines.
Platform three_nodes(Mapping mapping) {
  Platform p;
  p.machines.resize(2);
  p.machines[0].nodes.resize(1);
  p.machines[0].nodes[0].count = 2;
  p.machines[0].nodes[0].cpus = 2;
  p.machines[1].nodes.resize(1);
  p.machines[1].nodes[0].cpus = 4;
  p.machines[1].nodes[0].relative_speed = 2;
  p.mapping = std::move(mapping);
  return p;
}

std::string mapping_refusal(const Mapping& mapping, std::uint32_t ranks) {
  const auto machine = place_ranks(three_nodes(mapping), ranks);
  REQUIRE_FALSE(machine);
  CHECK(machine.error().kind == Error::Kind::bad_option);
  return to_string(machine.error());
}

}  // namespace

TEST_CASE("fill takes a node's CPUs before the next node's and puts the rest on the last node") {
  CHECK(place_ranks(three_nodes({}), 3)->rank_node == nodes({0, 0, 1}));
  CHECK(place_ranks(three_nodes({}), 10)->rank_node == nodes({0, 0, 1, 1, 2, 2, 2, 2, 2, 2}));
}

TEST_CASE("round-robin takes the nodes in turn") {
  Mapping m;
  m.kind = Mapping::Kind::round_robin;
  CHECK(place_ranks(three_nodes(m), 5)->rank_node == nodes({0, 1, 2, 0, 1}));
}

TEST_CASE("k per node ignores the CPUs and refuses a job that does not fit") {
  Mapping m;
  m.kind = Mapping::Kind::per_node;
  m.per_node = 3;
  CHECK(place_ranks(three_nodes(m), 7)->rank_node == nodes({0, 0, 0, 1, 1, 1, 2}));
  CHECK(mapping_refusal(m, 10) ==
        "/mapping: 10 ranks do not fit on 3 nodes with 3 per node\n"
        "  4 per node would fit");
}

TEST_CASE("a list of nodes may be longer than the job and not shorter") {
  Mapping m;
  m.kind = Mapping::Kind::nodes;
  m.nodes = {2, 0, 1, 3};
  CHECK(place_ranks(three_nodes(m), 3)->rank_node == nodes({2, 0, 1}));
  CHECK(mapping_refusal(m, 4) == "/mapping: rank 3 is placed on node 3, expected 0 to 2");
  CHECK(mapping_refusal(m, 5) == "/mapping: the list places 4 ranks, but the job has 5");
  Mapping nobody;
  nobody.kind = Mapping::Kind::per_node;
  nobody.per_node = 0;
  CHECK(mapping_refusal(nobody, 1) == "/mapping: 0 ranks per node, expected 1 or more");
}

TEST_CASE("the replay gets each node's CPUs and speed, and the modules") {
  auto p = three_nodes({});
  p.context_switch = Duration::picoseconds(5);
  p.modules = {{7, 1, 2.0, {}}, {8, 2, 1.0, Duration::picoseconds(9)}};
  const auto machine = place_ranks(p, 1);
  REQUIRE(machine);
  REQUIRE(machine->nodes.size() == 3);
  CHECK(machine->nodes[NodeId{0}].cpus == 2);
  CHECK(machine->nodes[NodeId{2}].cpus == 4);
  CHECK(machine->nodes[NodeId{2}].speed == 2);
  CHECK(machine->nodes[NodeId{1}].context_switch.count() == 5);
  CHECK(machine->modules[0].ratio == 2);
  CHECK(machine->modules[1].ratio < 0);
  CHECK(machine->modules[1].fixed.count() == 9);
}

TEST_CASE("a node with more ranks than CPUs is told with what gives each rank a CPU") {
  const auto warning = [](const Platform& platform, std::uint32_t ranks) {
    const auto machine = place_ranks(platform, ranks);
    REQUIRE(machine);
    const auto found = crowding_warning(platform, *machine);
    return found ? found->code + ": " + found->message : "";
  };
  CHECK(warning(three_nodes({}), 8) == "");
  CHECK(
      warning(three_nodes({}), 9) ==
      "crowded-nodes: node 2 has 5 ranks for 4 CPUs, so they compute in turn: the machine has 8 CPUs in all: "
      "give it more nodes or CPUs with --set");
  const auto by_turns = three_nodes({.kind = Mapping::Kind::round_robin, .nodes = {}});
  CHECK(warning(by_turns, 6) == "");
  CHECK(warning(by_turns, 8) ==
        "crowded-nodes: node 0 (the first of 2 such nodes) has 3 ranks for 2 CPUs, so they compute in turn: "
        "--mapping fill gives each rank a CPU");
  auto alike = three_nodes({});
  alike.machines.pop_back();
  CHECK(warning(alike, 9) ==
        "crowded-nodes: node 1 has 7 ranks for 2 CPUs, so they compute in turn: --set /nodes/0/count=5 gives "
        "each rank a CPU");
  // What it says helps.
  alike.machines[0].nodes[0].count = 5;
  CHECK(warning(alike, 9) == "");
  alike.machines[0].nodes[0].shared_cpus = true;
  alike.machines[0].nodes[0].waiting = NodeGroup::Waiting::polling;
  CHECK(warning(alike, 5) ==
        "crowded-nodes: the nodes that share CPUs with node 0 have 5 ranks for 2 CPUs, so they compute and "
        "poll in "
        "turn: --set /nodes/0/cpus=5 gives each rank a CPU");
  alike.machines[0].nodes[0].cpus = 5;
  CHECK(warning(alike, 5) == "");
}

TEST_CASE("the nodes of a group may share the CPUs of its first node") {
  auto p = three_nodes({.kind = Mapping::Kind::round_robin, .nodes = {}});
  auto& groups = p.machines[0].nodes;
  groups.front().shared_cpus = true;
  groups.front().waiting = NodeGroup::Waiting::polling;
  const auto machine = place_ranks(p, 3);
  REQUIRE(machine);
  CHECK(machine->rank_node == nodes({0, 1, 2}));
  CHECK(machine->cpu_node(RankId{1}) == NodeId{0});
  CHECK(machine->cpu_node(RankId{2}) == NodeId{2});
  CHECK(machine->nodes[NodeId{1}].polling_quantum.count() == 4'000'000'000);
  CHECK(machine->nodes[NodeId{2}].polling_quantum == Duration());
}

TEST_CASE("a platform without nodes, with too many, or a job without ranks is refused") {
  CHECK(to_string(place_ranks({}, 1).error()) == "/mapping: the platform has no nodes");
  CHECK(mapping_refusal({}, 0) == "/mapping: there are no ranks to place");
  auto p = three_nodes({});
  p.machines[0].nodes[0].count = std::numeric_limits<std::uint32_t>::max();
  CHECK(to_string(place_ranks(p, 1).error()) ==
        "/mapping: the platform has 4294967296 nodes, expected 10000000 at most");
}
