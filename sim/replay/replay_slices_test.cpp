// Nodes with more ranks than CPUs whose ranks poll while they wait (docs/model.md, section 2.4).
#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

namespace busline {
namespace {

constexpr std::int64_t kMs = 1'000'000'000;

// All ranks on one node, in time slices of 4 ms.
Machine polling_node(std::uint32_t ranks, std::uint32_t cpus) {
  auto m = one_node(ranks, cpus);
  m.nodes.front().polling_quantum = ms(4);
  return m;
}

// Rank 0 computes for `work`, the others wait for its message and then compute for 1 ms.
Program one_computes(std::uint32_t ranks, Duration work) {
  ProgramBuilder b(ranks);
  b.begin_strand(0);
  b.compute(work);
  for (std::uint32_t r = 1; r < ranks; ++r) b.send({.peer = r}, Bytes{0});
  for (std::uint32_t r = 1; r < ranks; ++r) {
    b.begin_strand(r);
    b.recv({.peer = 0}, Bytes{0});
    b.compute(ms(1));
  }
  return b.build();
}

// Between ranks 0 and 1; then all compute for 1 ms.
Program ping_pong(std::uint32_t ranks, int trips) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    for (int i = 0; r < 2 && i < trips; ++i) {
      if (r == 0) b.send({.peer = 1}, Bytes{0});
      b.recv({.peer = 1 - r}, Bytes{0});
      if (r == 1) b.send({.peer = 0}, Bytes{0});
    }
    b.compute(ms(1));
  }
  return b.build();
}

struct Charges final : RunObserver {
  void charged(StrandId strand, Activity next, std::int64_t when) override {
    auto& s = strands[raw(strand)];
    CHECK(when >= s.since);
    s.charge(when, next);
  }
  std::array<StrandState, 3> strands{};
};

}  // namespace

TEST_CASE("a rank that polls takes every second slice from one that computes") {
  const auto r = replay(one_computes(2, ms(10)), polling_node(2, 1));
  CHECK(r.ranks[0].end.count() == 18 * kMs);  // 0 to 4, 8 to 12, 16 to 18
  CHECK(r.ranks[0].times.compute == ms(10));
  CHECK(r.ranks[0].times.cpu_wait == ms(8));
  CHECK(r.ranks[1].end.count() == 21 * kMs);  // its message comes at 18, its slice at 20
  CHECK(r.ranks[1].times.cpu_wait == ms(4 + 2));
  CHECK(r.ranks[1].times.wait == ms(14));
}

TEST_CASE("a rank that gives up its CPU takes nothing from one that computes") {
  const auto r = replay(one_computes(2, ms(10)), one_node(2, 1));
  CHECK(r.run_time.count() == 11 * kMs);
}

// Measured: Open MPI 4.1 without mpi_yield_when_idle, shared memory, Linux 6.18 at 250 Hz, on one core: 2
// ranks 8.00 ms, 4 ranks 16.00 ms a round trip.
TEST_CASE("between ranks that poll on one CPU each message waits for its receiver's slice") {
  for (const std::uint32_t ranks : {2U, 4U}) {
    const auto r = replay(ping_pong(ranks, 10), polling_node(ranks, 1));
    CHECK(r.ranks[0].end.count() == (10 * ranks * 4 + 1) * kMs);
  }
}

// Measured likewise; 5 % is what real runs may differ by to count as steady.
TEST_CASE("bursts and Allreduces of ranks that poll on one CPU take as long as in reality") {
  struct Case {
    std::uint32_t ranks;
    int times;
    double burst_us, measured_ms;
  };
  for (const Case c :
       {Case{2, 100, 484, 396.7}, {4, 100, 484, 1608.5}, {2, 40, 4840, 504.1}, {4, 40, 4840, 1325.0}}) {
    ProgramBuilder b(c.ranks);
    for (std::uint32_t r = 0; r < c.ranks; ++r) {
      b.begin_strand(r);
      for (int i = 0; i < c.times; ++i) {
        b.compute(Duration::from_double(c.burst_us * 1e6));
        b.collective({.kind = CollectiveKind::allreduce, .send_bytes = 8, .recv_bytes = 8});
      }
    }
    const auto r = replay(b.build(), polling_node(c.ranks, 1), {.named = Algorithm::recursive_doubling});
    CHECK(r.run_time.since_start().in_seconds() * 1e3 == doctest::Approx(c.measured_ms).epsilon(0.05));
  }
}

TEST_CASE("with a CPU for each rank it does not matter how they wait") {
  for (const std::uint32_t cpus : {2U, 3U}) {
    CHECK(replay(one_computes(2, ms(10)), polling_node(2, cpus)).run_time.count() == 11 * kMs);
    CHECK(replay(ping_pong(2, 5), polling_node(2, cpus)).run_time.count() == 1 * kMs);
  }
}

TEST_CASE("three ranks that compute on two CPUs get two thirds each") {
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    b.compute(ms(16));
  }
  const auto r = replay(b.build(), polling_node(3, 2));
  CHECK(r.ranks[0].end.count() == 20 * kMs);  // slices 0, 1, 3 and 4
  CHECK(r.ranks[1].end.count() == 24 * kMs);  // 0, 2, 3 and 5
  CHECK(r.ranks[2].end.count() == 24 * kMs);  // 1, 2, 4 and 5
  for (const auto& rank : r.ranks) CHECK(rank.times.compute == ms(16));
}

TEST_CASE("overheads take slices, too") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1}, Bytes{0});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{0});
  const auto r = replay(b.build(), polling_node(2, 1), {.overhead = 5 * kMs});
  CHECK(r.ranks[0].end.count() == 9 * kMs);
  CHECK(r.ranks[0].times.latency == ms(5));
  CHECK(r.ranks[1].end.count() == 13 * kMs);  // 4 to 8, 12 to 13
  CHECK(r.ranks[1].times.latency == ms(5));
}

TEST_CASE("nodes of one host share its CPUs") {
  Machine m = nodes_for(2);
  for (auto& node : m.nodes) node.cpus_of = NodeId{0};
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.compute(ms(10));
  }
  const auto program = b.build();
  CHECK(replay(program, nodes_for(2)).run_time.count() == 10 * kMs);
  CHECK(replay(program, m).run_time.count() == 20 * kMs);
  for (auto& node : m.nodes) node.polling_quantum = ms(4);
  const auto r = replay(program, m);
  CHECK(r.ranks[0].end.count() == 18 * kMs);
  CHECK(r.ranks[1].end.count() == 22 * kMs);  // rank 0 has its turns to the end
  CHECK(r.ranks[1].node == 1);
}

TEST_CASE("observers are told of every slice, and see what the result has") {
  const auto program = one_computes(3, ms(10));
  const auto machine = polling_node(3, 2);
  TestNetwork network;
  Charges charges;
  Replay<TestNetwork, RunObserver> replay(program, machine, network, charges);
  const auto r = replay.result(replay.run());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(rank_times(charges.strands[i].spent).compute == r.ranks[i].times.compute);
    CHECK(rank_times(charges.strands[i].spent).cpu_wait == r.ranks[i].times.cpu_wait);
    CHECK(rank_times(charges.strands[i].spent).wait == r.ranks[i].times.wait);
  }
}

TEST_CASE("times up to an instant in the middle of a burst count the slices so far") {
  const auto program = one_computes(2, ms(10));
  const auto machine = polling_node(2, 1);
  TestNetwork network;
  NullObserver observer;
  Replay<TestNetwork> replay(program, machine, network, observer);
  const auto instant = Time::at(ms(9));
  CHECK(replay.run_until(instant));
  const auto times = replay.times_at(StrandId{0}, instant);
  CHECK(times.compute == ms(5));
  CHECK(times.cpu_wait == ms(4));
}

}  // namespace busline
