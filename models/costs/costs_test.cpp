#include "models/costs/costs.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "models/test_machine.hpp"
#include "platforms/mapping.hpp"

using namespace busline;

namespace {

Platform platform_with(std::uint32_t nodes, std::uint32_t cpus) {
  auto p = test_machine(nodes);
  auto& m = p.machines[0];
  m.nodes[0].cpus = cpus;
  m.nodes[0].intra_node.latency = Duration::picoseconds(300'000);
  m.nodes[0].intra_node.bandwidth = Bandwidth::bytes_per_second(8e9);
  m.network.latency = Duration::picoseconds(10'000'000);
  return p;
}

std::vector<std::uint32_t> first(std::uint32_t n) {
  std::vector<std::uint32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

constexpr RankId kFirst{0};

}  // namespace

TEST_CASE("a tree's steps are its phases when nothing limits them, and its messages with one bus") {
  for (std::uint64_t p = 1; p <= 70; ++p) {
    std::uint64_t phases = 0;
    while ((std::uint64_t{1} << phases) < p) ++phases;
    CAPTURE(p);
    CHECK(tree_steps(p, 0) == phases);
    CHECK(tree_steps(p, 1) == p - 1);  // each rank except the root is in one message
    CHECK(tree_steps(p, 1000) == phases);
  }
}

TEST_CASE("sixteen ranks on five buses take five steps, as in the published text") {
  CHECK(tree_steps(16, 5) == 5);  // 8, 4, 2, 1 messages: 2 + 1 + 1 + 1
  CHECK(tree_steps(13, 2) == 7);  // 6, 3, 2, 1 messages: 3 + 2 + 1 + 1
}

TEST_CASE("size classes multiply latency and bandwidth from a size on") {
  Platform p = platform_with(2, 1);
  p.machines[0].network.size_classes = {{Bytes{0}, 1, 1}, {Bytes{1000}, 2, 0.5}};
  const auto m = place_ranks(p, 2);
  const DimemasCosts costs(p, *m, Contention::counted);
  CHECK(costs.message(RankId{0}, RankId{1}, Bytes{999}, 0).send_overhead ==
        Duration::picoseconds(10'000'000));
  const auto large = costs.message(RankId{0}, RankId{1}, Bytes{1000}, 0);
  CHECK(large.send_overhead == Duration::picoseconds(20'000'000));
  CHECK(large.transfer == Duration::picoseconds(20'000'000));  // 1000 B at 50 MB/s
}

TEST_CASE("with latency in flight the CPUs pay only their overheads") {
  Platform p = platform_with(2, 1);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  p.machines[0].nodes[0].overheads = {Duration::picoseconds(5), Duration::picoseconds(7)};
  const auto m = place_ranks(p, 2);
  const auto c = DimemasCosts(p, *m, Contention::counted).message(RankId{0}, RankId{1}, Bytes{100}, 0);
  CHECK(c.send_overhead == Duration::picoseconds(5));
  CHECK(c.receive_overhead == Duration::picoseconds(7));
  CHECK(c.flight == Duration::picoseconds(10'000'000));
}

TEST_CASE("the precomputed costs of plain messages equal those of the full formula") {
  Platform p = platform_with(4, 2);
  p.machines[0].nodes[0].overheads = {Duration::picoseconds(5), Duration::picoseconds(7)};
  for (const auto at : {Network::LatencyAt::cpu, Network::LatencyAt::flight}) {
    p.machines[0].network.latency_at = at;
    const auto m = place_ranks(p, 8);
    const DimemasCosts costs(p, *m, Contention::counted);
    for (const auto a : ids<RankId>(8))
      for (const auto b : ids<RankId>(8)) {
        const auto c = costs.message(a, b, Bytes{12345}, 0);
        REQUIRE(costs.is_plain(a, b));
        CHECK(costs.plain_route(a, b) == c.route);
        CHECK(costs.plain_send_overhead(a, b) == c.send_overhead.count());
        CHECK(costs.plain_receive_overhead(a, b) == c.receive_overhead.count());
        CHECK(costs.plain_flight(a, b) == c.flight.count());
        CHECK(costs.plain_transfer(a, b, Bytes{12345}) == c.transfer);
      }
  }
}

TEST_CASE("a message to oneself has the figures of 'self', and its latency passes in flight") {
  Platform p = platform_with(2, 2);
  auto& nodes = p.machines[0].nodes[0];
  nodes.overheads = {Duration::picoseconds(5), Duration::picoseconds(7)};
  nodes.self = {Duration::picoseconds(1'000'000), Bandwidth::bytes_per_second(5e9)};
  const auto m = place_ranks(p, 4);
  const DimemasCosts costs(p, *m, Contention::counted);
  const auto self = costs.message(RankId{1}, RankId{1}, Bytes{5000}, 0);
  CHECK_FALSE(costs.is_plain(RankId{1}, RankId{1}));
  CHECK(self.send_overhead == Duration());  // the latency has both calls
  CHECK(self.receive_overhead == Duration());
  CHECK(self.transfer == Duration::picoseconds(1'000'000));
  CHECK(self.flight == Duration::picoseconds(1'000'000));
  // The other rank of the node is reached over the memory, with its latency on the CPU.
  REQUIRE(costs.is_plain(RankId{0}, RankId{1}));
  CHECK(costs.message(RankId{0}, RankId{1}, Bytes{8000}, 0).send_overhead == Duration::picoseconds(300'005));
  CHECK(costs.message(RankId{0}, RankId{1}, Bytes{8000}, 0).transfer == Duration::picoseconds(1'000'000));
}

TEST_CASE("a dedicated connection takes the messages of its tags and sizes, in both directions") {
  Platform p = platform_with(1, 1);
  p.machines.push_back(p.machines[0]);
  DedicatedConnection d;
  d.machine_b = 1;
  d.tags = {7};
  d.both = true;
  d.first = {DedicatedConnection::Condition::Compare::greater, Bytes{10}};
  d.second = {DedicatedConnection::Condition::Compare::less, Bytes{100}};
  p.dedicated_connections.push_back(d);
  const auto m = place_ranks(p, 2);
  const DimemasCosts costs(p, *m, Contention::counted);
  CHECK(costs.route(RankId{0}, RankId{1}, Bytes{50}, 7) == Route::dedicated);
  CHECK(costs.route(RankId{1}, RankId{0}, Bytes{50}, 7) == Route::dedicated);
  CHECK(costs.route(RankId{0}, RankId{1}, Bytes{50}, 8) == Route::wan);
  CHECK(costs.route(RankId{0}, RankId{1}, Bytes{10}, 7) == Route::wan);
  CHECK(costs.route(RankId{0}, RankId{1}, Bytes{100}, 7) == Route::wan);
}

TEST_CASE("a communicator's shape describes the placement of its members") {
  const Platform p = platform_with(4, 2);
  const auto m = place_ranks(p, 8);
  const DimemasCosts costs(p, *m, Contention::counted);
  const auto ranks = first(8);
  CHECK_FALSE(costs.shape(std::span(ranks).first(2)).spans_nodes());
  CHECK(costs.shape(std::span(ranks).first(2)).shares_nodes);
  const auto all = costs.shape(ranks);
  CHECK(all.spans_nodes());
  CHECK(all.machines[0].nodes == 4);
  CHECK(all.machines[0].shares.size() == 1);  // four nodes of a kind with two members each
}

TEST_CASE("a collective inside a node uses the node's own costs") {
  const Platform p = platform_with(2, 4);
  const auto m = place_ranks(p, 8);
  const DimemasCosts costs(p, *m, Contention::counted);
  const auto ranks = first(4);
  const auto shape = costs.shape(ranks);
  const auto c = costs.collective(CollectiveKind::bcast, shape, 800, 800, std::span(&kFirst, 1), 0);
  // Bcast is LOG MAX in the fan-out: 2 phases of 0.3 us + 800 B at 8 GB/s.
  CHECK(c.fan_in.time == Duration{});
  CHECK(c.fan_out.factor == 2);
  CHECK(c.held == Duration::picoseconds(2 * (300'000 + 100'000)));
}

TEST_CASE("operations that only synchronise cost what Barrier costs, unless they have a row") {
  Platform p = platform_with(4, 1);
  const auto m = place_ranks(p, 4);
  const auto ranks = first(4);
  const auto cost = [&](CollectiveKind kind) {
    const DimemasCosts costs(p, *m, Contention::counted);
    return costs.collective(kind, costs.shape(ranks), 0, 0, std::span(&kFirst, 1), 0).held;
  };
  CHECK(cost(CollectiveKind::comm_dup) == cost(CollectiveKind::barrier));
  auto& table = p.mpi.collectives.by_kind;
  const ClosedForm once{{FanModel::constant, SizeRule::max}, {}};
  table[static_cast<std::size_t>(CollectiveKind::barrier)] = {{Bytes{0}, once}};
  CHECK(cost(CollectiveKind::comm_dup) == Duration::picoseconds(10'000'000));
  table[static_cast<std::size_t>(CollectiveKind::comm_dup)] = {{Bytes{0}, {}}};
  CHECK(cost(CollectiveKind::comm_dup) == Duration{});
}

TEST_CASE("a row with several sizes applies from each size on") {
  Platform p = platform_with(4, 1);
  const ClosedForm once{{FanModel::constant, SizeRule::max}, {}};
  p.mpi.collectives.fallback = {{Bytes{0}, {}}, {Bytes{1000}, once}};
  const auto m = place_ranks(p, 4);
  const DimemasCosts costs(p, *m, Contention::counted);
  const auto ranks = first(4);
  const auto shape = costs.shape(ranks);
  const auto held = [&](std::uint64_t bytes) {
    return costs.collective(CollectiveKind::allreduce, shape, bytes, bytes, std::span(&kFirst, 1), 0).held;
  };
  CHECK(held(999) == Duration{});
  CHECK(held(1000) == Duration::picoseconds(20'000'000));
}
