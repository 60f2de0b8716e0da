// The flow model against what can be worked out by hand, against our own solver, and against the Dimemas
// model where the two must agree. 100 MB/s: a byte takes 10 ns alone.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string>
#include <vector>

#include "models/flow/plugin.hpp"
#include "models/test_run.hpp"
#include "platforms/topology/description.hpp"
#include "sim/program/test_messages.hpp"
#include "tests/random_program.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

FlowOptions::Solver solver = FlowOptions::Solver::local;

/// Each test that asks runs once with our own solver and once with SimGrid. False, and says so, where Busline
/// was built without it.
bool is_there() {
  solver = FlowOptions::Solver::local;
  SUBCASE("our own solver") {
    return true;
  }
  SUBCASE("SimGrid") {
    solver = FlowOptions::Solver::simgrid;
    const bool there = load_flows().has_value();
    if (!there) MESSAGE("left out: " << to_string(load_flows().error()));
    return there;
  }
  return false;
}

Result flow_run(const Program& program, Platform platform, const std::string& model = "flow") {
  network_of(platform).flow.solver = solver;
  return complete_run(program, platform, model);
}

/// Without a topology: one link each way for each node. No latency.
Platform star(std::uint32_t nodes, Count links = 1, Count buses = kUnlimited) {
  auto p = machine(nodes);
  nodes_of(p).links = links == kUnlimited ? Links{} : full_duplex(links);
  network_of(p).latency = {};
  network_of(p).buses = buses;
  return p;
}

constexpr Duration kHalf = Duration::picoseconds(500'000);
/// A ring of switches with a node each; half a microsecond a link.
Platform ring(std::uint32_t nodes) {
  auto p = machine(nodes);
  network_of(p).latency = {};
  auto& topology = network_of(p).topology.emplace();
  topology.family = Torus{{nodes}, 1};
  topology.link.latency = kHalf;
  return p;
}
}  // namespace

TEST_CASE("a flow alone takes the latency of its links and size / bandwidth, to the picosecond") {
  if (!is_there()) return;
  auto p = ring(8);
  network_of(p).bandwidth = Bandwidth::bytes_per_second(3e8);
  for (const std::uint64_t bytes : {1ULL, 7ULL, 1'000ULL, 65'537ULL, 123'456'789ULL}) {
    // Up to the switch, `hops` switches on, and down.
    for (const std::uint32_t hops : {1U, 2U, 4U}) {
      const auto r = flow_run(test_messages(8, {{0, hops, bytes}}), p);
      CHECK(r.run_time.since_start() == kHalf * (hops + 2) + Bytes{bytes} / network_of(p).bandwidth);
    }
  }
  network_of(p).latency = us(3);
  network_of(p).latency_at = Network::LatencyAt::flight;
  CHECK(flow_run(test_messages(8, {{0, 1, 300}}), p).run_time.since_start() == us(3) + kHalf * 3 + us(1));
  network_of(p).latency_at = Network::LatencyAt::cpu;
  CHECK(flow_run(test_messages(8, {{0, 1, 300}}), p).run_time.since_start() == us(3) + kHalf * 3 + us(1));
}

TEST_CASE("a flow alone takes as long late in a run as at its beginning") {
  if (!is_there()) return;
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(Duration::seconds(1e6));
  b.send({.peer = 1}, Bytes{777});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{777});
  CHECK(flow_run(b.build(), ring(2)).run_time.since_start() ==
        Duration::seconds(1e6) + kHalf * 3 + network(777));
}

TEST_CASE("n flows over one link take n times as long") {
  if (!is_there()) return;
  for (const std::uint32_t n : {2U, 3U, 7U}) {
    std::vector<TestMessage> out, in;
    for (std::uint32_t i = 1; i <= n; ++i) {
      out.push_back({0, i, 9'000});
      in.push_back({i, 0, 9'000});
    }
    for (const auto& sends : {out, in}) {
      CHECK(flow_run(test_messages(n + 1, sends), star(n + 1)).run_time.since_start() == network(9'000) * n);
    }
    auto p = machine(n + 1);
    network_of(p).latency = {};
    network_of(p).topology.emplace().family = StarNetwork{n + 1};
    CHECK(flow_run(test_messages(n + 1, in), p).run_time.since_start() == network(9'000) * n);
  }
}

TEST_CASE("links of a topology can be slower and faster than a message at full speed") {
  if (!is_there()) return;
  auto p = machine(2);
  network_of(p).latency = {};
  auto& topology = network_of(p).topology.emplace();
  topology.family = StarNetwork{2};
  topology.link.bandwidth = Bandwidth::bytes_per_second(2.5e7);
  CHECK(flow_run(test_messages(2, {{0, 1, 1'000}}), p).run_time.since_start() == us(40));
  topology.link.bandwidth = Bandwidth::bytes_per_second(2e8);
  CHECK(flow_run(test_messages(2, {{0, 1, 1'000}}), p).run_time.since_start() == us(10));
  CHECK(flow_run(test_messages(2, {{0, 1, 1'000}, {0, 1, 1'000}}), p).run_time.since_start() == us(10));
  CHECK(flow_run(test_messages(2, {{0, 1, 1'000}, {0, 1, 1'000}, {0, 1, 1'000}}), p).run_time.since_start() ==
        us(15));
}

TEST_CASE("empty messages, messages to oneself and a single node need no network") {
  if (!is_there()) return;
  CHECK(flow_run(test_messages(4, {{0, 2, 0}, {1, 2, 0}}), ring(4)).run_time.since_start() == kHalf * 4);
  CHECK(flow_run(test_messages(2, {{0, 0, 1'000}, {0, 1, 0}}), star(2)).run_time.since_start() ==
        kMemoryLatency + memory(1'000));
  CHECK(flow_run(test_messages(1, {}), star(1)).run_time == Time::zero());
  auto p = machine(1, 3);
  nodes_of(p).intra_node.latency = {};
  nodes_of(p).intra_node.buses = 1;
  CHECK(flow_run(test_messages(3, {{0, 1, 1'000}, {0, 2, 1'000}, {1, 2, 0}}), p).run_time.since_start() ==
        memory(1'000) * 2);
}

TEST_CASE("permutations and an incast of equal sizes end as with one exclusive link a node") {
  if (!is_there()) return;
  // In a permutation nobody shares. In an incast the one input link is busy all the time in both models: what
  // differs is who ends when, and with equal sizes that all flows end together, at the time at which the last
  // of the queue does.
  std::vector<TestMessage> permutation, incast;
  for (std::uint32_t r = 0; r < 8; ++r) permutation.push_back({r, (r + 3) % 8, 50'000});
  for (std::uint32_t r = 1; r < 8; ++r) incast.push_back({r, 0, 50'000});
  CHECK(ends_of(flow_run(test_messages(8, permutation), star(8))) ==
        ends_of(flow_run(test_messages(8, permutation), star(8), "dimemas")));
  CHECK(flow_run(test_messages(8, incast), star(8)).run_time ==
        flow_run(test_messages(8, incast), star(8), "dimemas").run_time);
}

namespace {

Links some_links(Random& random) {
  const auto n = 1 + random.below(3);
  switch (random.below(4)) {
    case 0:
      return {};
    case 1:
      return {Links::Kind::half_duplex, n, n};
    default:
      return {Links::Kind::full_duplex, n, 1 + random.below(3)};
  }
}

/// Everything that can be shared may be scarce; each rank has its CPU.
Platform shared_platform(std::uint32_t ranks, std::uint64_t seed) {
  Random random(seed * 104'729);
  auto p = machine(1 + random.below(ranks), ranks);
  auto& network = network_of(p);
  p.mapping.kind = Mapping::Kind::round_robin;
  nodes_of(p).links = some_links(random);
  nodes_of(p).intra_node.links = some_links(random);
  nodes_of(p).intra_node.buses = random.below(3);
  network.buses = random.below(4);
  network.sharing = random.one_in(4) ? Network::Sharing::streams : Network::Sharing::fair;
  if (random.one_in(2)) network.latency_at = Network::LatencyAt::flight;
  if (random.one_in(2)) p.mpi.rendezvous_from = Bytes{random.below(200'000)};
  if (random.one_in(2)) p.mpi.send_completes = Mpi::SendCompletes::transfer;
  if (random.one_in(3)) network.size_classes = {{Bytes{0}, 2, 0.3}, {Bytes{10'000}, 1, 0.9}};
  return p;
}

}  // namespace

TEST_CASE("without a topology flows share links and buses as with sharing: fair") {
  if (!is_there()) return;
  double worst = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    RandomProgram recipe;
    recipe.seed = seed;
    recipe.ranks = 2 + seed % 7;
    recipe.steps = 10 + seed;
    recipe.one_sided = seed % 3 == 0;
    recipe.to_oneself = seed % 5 == 0;
    const auto program = random_program(recipe);
    const auto p = shared_platform(recipe.ranks, seed);
    const auto flow = flow_run(program, p), fair = flow_run(program, p, "dimemas");
    INFO("seed ", seed, ", ranks ", recipe.ranks, ", steps ", recipe.steps);
    for (std::uint32_t r = 0; r < recipe.ranks; ++r) {
      const auto a = static_cast<double>(flow.ranks[r].end.count());
      const auto b = static_cast<double>(fair.ranks[r].end.count());
      const auto difference = std::abs(a - b) / std::max(b, 1.);
      worst = std::max(worst, difference);
      CHECK(difference <= 1e-3);
    }
  }
  MESSAGE("largest difference of a rank's end: " << worst);
}

TEST_CASE("twenty runs give the same figures, to the last one") {
  if (!is_there()) return;
  RandomProgram recipe;
  recipe.seed = 5;
  recipe.ranks = 12;
  recipe.steps = 150;
  const auto program = random_program(recipe);
  auto p = ring(12);
  network_of(p).topology->family = FatTree{4, 2};
  network_of(p).topology->routing = Routing::ecmp;
  const auto first = all_of(flow_run(program, p));
  for (int i = 1; i < 20; ++i) CHECK(all_of(flow_run(program, p)) == first);
}

TEST_CASE("parts of a run are reported as by the other models") {
  if (!is_there()) return;
  RandomProgram recipe;
  recipe.ranks = 4;
  const auto program = random_program(recipe);
  auto p = star(4, kUnlimited);
  network_of(p).flow.solver = solver;
  const auto placed = place_ranks(p, 4);
  SimulateOptions options;
  options.region.emplace();
  options.region->after = us(100);
  options.region->before = ms(1);
  options.call_times = false;
  for (const bool between_instants : {true, false}) {
    if (!between_instants) {
      options.region.reset();
      options.call_times = true;
    }
    options.model = "flow";
    const auto flow = simulate(program, p, *placed, options);
    options.model = "ideal";
    const auto ideal = simulate(program, p, *placed, options);
    REQUIRE((flow && ideal && flow->region && ideal->region));
    CHECK(flow->region->run_time == ideal->region->run_time);
    CHECK(flow->region->call_times == ideal->region->call_times);
    for (std::size_t r = 0; r < 4; ++r) {
      CHECK(flow->region->ranks[r].compute == ideal->region->ranks[r].compute);
      CHECK(flow->region->ranks[r].wait == ideal->region->ranks[r].wait);
    }
  }
}

TEST_CASE("a run can be interrupted, and leaves no process behind") {
  if (!is_there()) return;
  RandomProgram recipe;
  recipe.ranks = 4;
  recipe.steps = 20'000;
  const auto program = random_program(recipe);
  auto p = star(4);
  network_of(p).flow.solver = solver;
  SimulateOptions options;
  options.model = "flow";
  int calls = 0;
  options.progress = [&](double share) {
    CHECK((share >= 0 && share <= 1));
    return ++calls < 2;
  };
  const auto result = simulate(program, p, *place_ranks(p, 4), options);
  REQUIRE(result);
  CHECK(result->status == Result::Status::interrupted);
  CHECK(calls == 2);
  CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
  CHECK(errno == ECHILD);
}

TEST_CASE("a deadlock is reported as by the Dimemas model") {
  if (!is_there()) return;
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.recv({.peer = 1, .tag = 3}, Bytes{1});
  b.begin_strand(1);
  b.send({.peer = 0, .tag = 4}, Bytes{1});
  const auto program = b.build();
  auto p = star(2);
  network_of(p).flow.solver = solver;
  const auto flow = simulated(program, p, "flow"), dimemas = simulated(program, star(2));
  REQUIRE((flow && dimemas));
  CHECK(flow->status == Result::Status::deadlock);
  REQUIRE(flow->blocked.size() == 1);
  CHECK(flow->blocked[0].waits_for == dimemas->blocked[0].waits_for);
}

TEST_CASE("CM02 shares by latency, LV08 corrects for TCP, and windows and crosstraffic are SimGrid's") {
  if (!load_flows()) return;
  auto p = ring(8);
  auto& network = network_of(p);
  // Into node 0: from node 1 over 3 links, from node 4 over 6; so that the first has twice the other's share
  // of the last link. It is through when 1.5 times its bytes are, and the other has half of its own left.
  const auto two = test_messages(8, {{1, 0, 100'000}, {4, 0, 100'000}});
  const auto shared_from = kHalf * 6;  // the first alone until then: 1.5 us, 150 bytes
  CHECK(flow_run(two, p).run_time.since_start() == shared_from + textbook::network(200'000 - 150));
  network.flow.model = FlowOptions::Model::cm02;
  {
    ProgramBuilder b(8);
    for (std::uint32_t r = 0; r < 8; ++r) {
      b.begin_strand(r);
      if (r == 1 || r == 4) b.isend_and_forget({.peer = 0}, Bytes{100'000});
      if (r == 0) {
        b.recv({.peer = 1}, Bytes{100'000});
        b.mark(1);
        b.recv({.peer = 4}, Bytes{100'000});
      }
    }
    const auto r = flow_run(b.build(), p);
    REQUIRE(r.marks.size() == 1);
    const double alone = 150, left = 100'000 - alone;
    const auto expected = shared_from.in_seconds() + left * 1.5 * 1e-8;
    CHECK(r.marks[0].time.since_start().in_seconds() == doctest::Approx(expected).epsilon(1e-9));
  }
  network.flow.model = FlowOptions::Model::lv08;
  const auto one = test_messages(8, {{0, 1, 1'000'000}});
  CHECK(flow_run(one, p).run_time.since_start().in_seconds() ==
        doctest::Approx(13.01 * 1.5e-6 + 1e-2 / 0.97).epsilon(1e-9));
  network.flow = {};
  network.flow.tcp_gamma = Bytes{150};  // / (2 x 1.5 us): 50 MB/s
  CHECK(flow_run(one, p).run_time.since_start().in_seconds() == doctest::Approx(1.5e-6 + 2e-2).epsilon(1e-9));
  // Each flow leaves a twentieth of itself on the other's links: r + 0.05 r = 100 MB/s.
  network.flow = {};
  network.flow.crosstraffic = true;
  const auto both = test_messages(8, {{0, 1, 1'000'000}, {1, 0, 1'000'000}});
  CHECK(flow_run(both, p).run_time.since_start().in_seconds() ==
        doctest::Approx(1.5e-6 + 1e-2 * 1.05).epsilon(1e-9));
}

TEST_CASE("our own solver and SimGrid give the same ends over routed links") {
  if (!load_flows()) return;
  double worst = 0;
  const std::vector<NetworkFamily> families{Torus{{4, 3}, 1}, FatTree{4, 2}, Dragonfly{9, 1, 4, 2, 2, {}},
                                            Mesh{{3, 2}, 2}, SlimFly{3, 1}};
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    RandomProgram recipe;
    recipe.seed = seed;
    recipe.ranks = 12;
    recipe.steps = 60;
    recipe.one_sided = seed % 2 == 0;
    const auto program = random_program(recipe);
    auto p = ring(12);
    auto& topology = *network_of(p).topology;
    topology.family = families[seed % families.size()];
    topology.routing = std::array{Routing::minimal, Routing::ecmp, Routing::valiant}[seed % 3];
    if (seed % 4 == 0) topology.link.bandwidth = Bandwidth::bytes_per_second(3e7);
    if (seed % 4 == 1) topology.link.bandwidth = Bandwidth::bytes_per_second(2.5e8);
    solver = FlowOptions::Solver::simgrid;
    const auto simgrid = flow_run(program, p);
    solver = FlowOptions::Solver::local;
    const auto local = flow_run(program, p);
    CAPTURE(seed);
    for (std::uint32_t r = 0; r < recipe.ranks; ++r) {
      const auto a = local.ranks[r].end.since_start().in_seconds();
      const auto b = simgrid.ranks[r].end.since_start().in_seconds();
      worst = std::max(worst, std::abs(a - b) / b);
      CHECK(a == doctest::Approx(b).epsilon(1e-6));
    }
  }
  MESSAGE("largest difference of a rank's end: " << worst);
}
