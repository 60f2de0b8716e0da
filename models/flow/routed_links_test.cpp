#include "models/flow/routed_links.hpp"

#include <doctest/doctest.h>

#include "models/test_machine.hpp"

using namespace busline;

TEST_CASE("a machine has no more nodes than its topology has hosts") {
  auto p = test_machine(3);
  auto& machine = p.machines[0];
  machine.network.topology.emplace().family = StarNetwork{2};
  const auto routed = RoutedNetwork::of(machine, NodeId{0});
  REQUIRE_FALSE(routed);
  CHECK(routed.error().message == "the topology has 2 hosts, expected one for each of the 3 nodes or more");
  machine.nodes[0].count = 2;
  CHECK(RoutedNetwork::of(machine, NodeId{0}));
}
