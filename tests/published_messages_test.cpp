// Messages in the published Dimemas description: T = L + S / BW, and waiting for links and buses in order.
// Where latency is paid, eager and rendezvous follow Dimemas (docs/model.md, sections 3.2 and 3.3).
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "validation/simulated/textbook.hpp"

#include "models/test_run.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

// Rank by rank, what the ranks do.
using RankCode = std::vector<std::function<void(ProgramBuilder&)>>;

Program program_of(const RankCode& ranks) {
  ProgramBuilder b(static_cast<std::uint32_t>(ranks.size()));
  for (std::uint32_t r = 0; r < ranks.size(); ++r) {
    b.begin_strand(r);
    ranks[r](b);
  }
  return b.build();
}

Result run_ranks(const RankCode& ranks, const Platform& platform) {
  return complete_run(program_of(ranks), platform);
}

std::vector<Duration> ends(const RankCode& ranks, const Platform& platform) {
  return ends_of(run_ranks(ranks, platform));
}

auto sender(std::uint32_t to, std::uint64_t size, Duration before = {}) {
  return [=](ProgramBuilder& b) {
    b.compute(before);
    b.send({to, 0, 0}, Bytes{size});
  };
}
auto receiver(std::uint32_t from, std::uint64_t size, Duration before = {}) {
  return [=](ProgramBuilder& b) {
    b.compute(before);
    b.recv({from, 0, 0}, Bytes{size});
  };
}
void idle(ProgramBuilder&) {}

Platform with_latency_in_flight(Platform p) {
  network_of(p).latency_at = Network::LatencyAt::flight;
  return p;
}

constexpr std::uint64_t kMessageSizes[] = {0, 1, 3, 1000, 65536, kMegabyte, 3'000'000'000};

}  // namespace

TEST_CASE("a message between nodes takes L + S / BW if its receiver waits for it") {
  for (const auto size : kMessageSizes) {
    CAPTURE(size);
    const RankCode ranks{sender(1, size, ms(1)), receiver(0, size)};
    const auto arrival = ms(1) + kLatency + network(size);
    CHECK(ends(ranks, machine(2)) == std::vector{ms(1) + kLatency, arrival});
    CHECK(ends(ranks, with_latency_in_flight(machine(2))) == std::vector{ms(1), arrival});
  }
}

TEST_CASE("a message inside a node takes the node's L + S / BW") {
  for (const auto size : kMessageSizes) {
    CAPTURE(size);
    const RankCode ranks{sender(1, size, ms(1)), receiver(0, size)};
    CHECK(ends(ranks, machine(1, 2)) ==
          std::vector{ms(1) + kMemoryLatency, ms(1) + kMemoryLatency + memory(size)});
  }
}

TEST_CASE("a fractional transfer time is rounded once") {
  auto p = machine(2);
  network_of(p).bandwidth = Bandwidth::bytes_per_second(3e8);
  // 1 / 3e8 s = 3333.3 ps; 2 / 3e8 s = 6666.7 ps; 10^9 / 3e8 s = 3.333333333333333... s.
  const std::pair<std::uint64_t, std::int64_t> cases[] = {
      {1, 3333}, {2, 6667}, {1'000'000'000, 3'333'333'333'333}};
  for (const auto& [size, picoseconds] : cases)
    CHECK(ends({sender(1, size), receiver(0, size)}, p)[1] == kLatency + Duration::picoseconds(picoseconds));
}

TEST_CASE("a late receiver pays its latency, and nothing if latency is in flight") {
  const RankCode ranks{sender(1, kMegabyte), receiver(0, kMegabyte, ms(50))};
  CHECK(ends(ranks, machine(2))[1] == ms(50) + kLatency);
  CHECK(ends(ranks, with_latency_in_flight(machine(2)))[1] == ms(50));
}

TEST_CASE("a receiver that comes during the transfer pays its latency while it waits") {
  const auto arrival = kLatency + network(kMegabyte);
  CHECK(ends({sender(1, kMegabyte), receiver(0, kMegabyte, ms(5))}, machine(2))[1] == arrival);
  // 3 us before the arrival: 7 of its 10 us are left when the message is there.
  CHECK(ends({sender(1, kMegabyte), receiver(0, kMegabyte, arrival - us(3))}, machine(2))[1] ==
        arrival + us(7));
}

TEST_CASE("overheads are CPU time where latency is in flight") {
  auto p = with_latency_in_flight(machine(2));
  nodes_of(p).overheads = {us(2), us(4)};
  CHECK(ends({sender(1, 1000), receiver(0, 1000)}, p) ==
        std::vector{us(2), us(2) + network(1000) + kLatency});
  CHECK(ends({sender(1, 1000), receiver(0, 1000, ms(1))}, p)[1] == ms(1) + us(4));
}

TEST_CASE("sizes from rendezvous_from on wait for their receiver") {
  auto p = machine(2);
  p.mpi.rendezvous_from = Bytes{1000};
  const auto posted = ms(5) + kLatency;
  CHECK(ends({sender(1, 1000), receiver(0, 1000, ms(5))}, p) == std::vector{posted, posted + network(1000)});
  CHECK(ends({sender(1, 999), receiver(0, 999, ms(5))}, p) == std::vector{kLatency, posted});
  SUBCASE("a handshake comes before the transfer") {
    p.mpi.handshake = us(30);
    CHECK(ends({sender(1, 1000), receiver(0, 1000, ms(5))}, p)[1] == posted + us(30) + network(1000));
    CHECK(ends({sender(1, 999), receiver(0, 999)}, p)[1] == kLatency + network(999));
  }
  SUBCASE("the sender may have to wait for the end of the transfer") {
    p.mpi.send_completes = Mpi::SendCompletes::transfer;
    CHECK(ends({sender(1, 1000), receiver(0, 1000, ms(5))}, p)[0] == posted + network(1000));
  }
}

TEST_CASE("a node's own limit and handshake decide about messages inside it, and about no others") {
  // Ranks 0 and 1 on node 0, ranks 2 and 3 on node 1.
  auto p = machine(2, 2);
  p.mpi.rendezvous_from = Bytes{100'000};
  p.mpi.handshake = us(30);
  auto& inside = nodes_of(p).intra_node;
  inside.rendezvous_from = RendezvousLimit{Bytes{1000}};
  const auto ends_between = [&](std::uint32_t to, std::uint64_t size) {
    RankCode ranks(4, idle);
    ranks[0] = sender(to, size);
    ranks[to] = receiver(0, size, ms(5));
    return ends(ranks, p)[0];
  };
  const auto is_eager = [&](std::uint32_t to, std::uint64_t size) { return ends_between(to, size) < ms(5); };
  CHECK(is_eager(1, 999));
  CHECK_FALSE(is_eager(1, 1000));
  CHECK(is_eager(2, 99'999));
  CHECK_FALSE(is_eager(2, 100'000));
  SUBCASE("never") {
    inside.rendezvous_from = RendezvousLimit{};
    CHECK(is_eager(1, kMegabyte));
    CHECK_FALSE(is_eager(2, kMegabyte));
  }
  SUBCASE("messages to oneself have none if they have figures of their own") {
    nodes_of(p).self = {us(1), Bandwidth::bytes_per_second(1e9)};
    const auto to_oneself = [](ProgramBuilder& b) {
      b.send({0, 0, 0}, Bytes{1000});  // a rendezvous would never return
      b.recv({0, 0, 0}, Bytes{1000});
    };
    CHECK(ends({to_oneself}, p)[0] == us(2));
  }
  SUBCASE("its handshake replaces the network's there, for MPI_Ssend too") {
    const auto arrival = [&](std::uint32_t to, SendMode mode) {
      RankCode ranks(4, idle);
      ranks[0] = [=](ProgramBuilder& b) { b.send({to, 0, 0}, Bytes{100'000}, mode); };
      ranks[to] = receiver(0, 100'000, ms(5));
      return ends(ranks, p)[to];
    };
    for (const auto mode : {SendMode::standard, SendMode::synchronous}) {
      inside.handshake.reset();
      const auto network = arrival(2, mode), memory = arrival(1, mode);
      inside.handshake = us(2);
      CHECK(arrival(2, mode) == network);
      CHECK(arrival(1, mode) == memory - us(28));
    }
  }
}

TEST_CASE("synchronous sends always wait for their receiver, buffered ones never") {
  auto p = machine(2);
  const auto send = [](SendMode mode) {
    return [=](ProgramBuilder& b) { b.send({1, 0, 0}, Bytes{1000}, mode); };
  };
  CHECK(ends({send(SendMode::synchronous), receiver(0, 1000, ms(5))}, p)[0] == ms(5) + kLatency);
  p.mpi.rendezvous_from = Bytes{0};
  CHECK(ends({send(SendMode::buffered), receiver(0, 1000, ms(5))}, p)[0] == kLatency);
}

TEST_CASE("classes of sizes scale latency and bandwidth") {
  auto p = machine(2);
  network_of(p).size_classes = {{Bytes{1000}, 2, 0.5}, {Bytes{kMegabyte}, 1, 4}};
  CHECK(ends({sender(1, 999), receiver(0, 999)}, p)[1] == kLatency + network(999));
  CHECK(ends({sender(1, 1000), receiver(0, 1000)}, p)[1] == us(20) + network(2000));
  CHECK(ends({sender(1, kMegabyte), receiver(0, kMegabyte)}, p)[1] == kLatency + network(kMegabyte / 4));
}

TEST_CASE("messages wait for the output links of their node") {
  // Ranks 0 and 1 share node 0; both send 1 MB to nodes 1 and 2.
  const RankCode ranks{sender(2, kMegabyte), sender(3, kMegabyte), receiver(0, kMegabyte),
                       receiver(1, kMegabyte)};
  auto p = machine(3, 2);
  p.mapping = {Mapping::Kind::nodes, 1, {0, 0, 1, 2}};
  const auto alone = kLatency + network(kMegabyte);
  SUBCASE("two links") {
    nodes_of(p).links = full_duplex(2);
    CHECK(run_ranks(ranks, p).run_time.since_start() == alone);
  }
  SUBCASE("one link") {
    nodes_of(p).links = full_duplex(1);
    const auto r = run_ranks(ranks, p);
    CHECK(r.ranks[2].end.since_start() == alone);
    CHECK(r.ranks[3].end.since_start() == alone + network(kMegabyte));
    CHECK(r.ranks[0].link_wait == Duration{});
    CHECK(r.ranks[1].link_wait == network(kMegabyte));
  }
}

TEST_CASE("messages wait for the input links of their node") {
  const RankCode ranks{sender(2, kMegabyte), sender(3, kMegabyte), receiver(0, kMegabyte),
                       receiver(1, kMegabyte)};
  auto p = machine(3, 2);
  p.mapping = {Mapping::Kind::nodes, 1, {0, 1, 2, 2}};
  nodes_of(p).links = full_duplex(1);
  const auto alone = kLatency + network(kMegabyte);
  CHECK(ends(ranks, p)[2] == alone);
  CHECK(ends(ranks, p)[3] == alone + network(kMegabyte));
}

TEST_CASE("a half duplex link carries one direction at a time") {
  const RankCode ranks{[](ProgramBuilder& b) {
                         b.isend_and_forget({1, 0, 0}, Bytes{kMegabyte});
                         b.recv({1, 0, 0}, Bytes{kMegabyte});
                       },
                       [](ProgramBuilder& b) {
                         b.isend_and_forget({0, 0, 0}, Bytes{kMegabyte});
                         b.recv({0, 0, 0}, Bytes{kMegabyte});
                       }};
  auto p = machine(2);
  const auto alone = kLatency + network(kMegabyte);
  nodes_of(p).links = full_duplex(1);
  CHECK(run_ranks(ranks, p).run_time.since_start() == alone);
  nodes_of(p).links = {Links::Kind::half_duplex, 1, 1};
  CHECK(run_ranks(ranks, p).run_time.since_start() == alone + network(kMegabyte));
}

TEST_CASE("up to B messages use the network at once, the others wait in order") {
  // Eight pairs of nodes exchange 1 MB at the same time, so that on B buses ceil(8 / B) transfers follow one
  // another.
  RankCode ranks;
  for (std::uint32_t r = 0; r < 8; ++r) ranks.emplace_back(sender(8 + r, kMegabyte));
  for (std::uint32_t r = 0; r < 8; ++r) ranks.emplace_back(receiver(r, kMegabyte));
  for (const std::int64_t buses : {1, 2, 3, 5, 8, 9, 0}) {
    CAPTURE(buses);
    auto p = machine(16);
    network_of(p).buses = static_cast<Count>(buses);
    const auto rounds = buses == 0 ? 1 : (8 + buses - 1) / buses;
    const auto r = run_ranks(ranks, p);
    CHECK(r.run_time.since_start() == kLatency + network(kMegabyte) * rounds);
    for (std::int64_t i = 0; i < 8; ++i) {  // in the order of the ranks
      const auto before = buses == 0 ? 0 : i / buses;
      CHECK(r.ranks[static_cast<std::size_t>(i)].bus_wait == network(kMegabyte) * before);
      CHECK(r.ranks[static_cast<std::size_t>(8 + i)].end.since_start() ==
            kLatency + network(kMegabyte) * (before + 1));
    }
  }
}

TEST_CASE("messages inside a node use neither links nor buses of the network") {
  auto p = machine(2, 2);
  nodes_of(p).links = full_duplex(1);
  network_of(p).buses = 1;
  const RankCode ranks{sender(1, kMegabyte), receiver(0, kMegabyte), sender(3, kMegabyte),
                       receiver(2, kMegabyte)};
  CHECK(run_ranks(ranks, p).run_time.since_start() == kMemoryLatency + memory(kMegabyte));
}

TEST_CASE("a node's memory buses and ports hold back messages inside it") {
  // Ranks 0 and 1 send to 2 and 3 in one node.
  const RankCode pairs{sender(2, kMegabyte), sender(3, kMegabyte), receiver(0, kMegabyte),
                       receiver(1, kMegabyte)};
  auto p = machine(1, 4);
  const auto alone = kMemoryLatency + memory(kMegabyte);
  CHECK(run_ranks(pairs, p).run_time.since_start() == alone);
  nodes_of(p).intra_node.buses = 1;
  CHECK(run_ranks(pairs, p).run_time.since_start() == alone + memory(kMegabyte));
  nodes_of(p).intra_node.buses = kUnlimited;
  nodes_of(p).intra_node.links = full_duplex(1);
  CHECK(run_ranks(pairs, p).run_time.since_start() == alone);
  // Both to rank 2: its one input port takes them one after the other.
  const RankCode incast{sender(2, kMegabyte), sender(2, kMegabyte),
                        [](ProgramBuilder& b) {
                          b.recv({0, 0, 0}, Bytes{kMegabyte});
                          b.recv({1, 0, 0}, Bytes{kMegabyte});
                        },
                        idle};
  CHECK(run_ranks(incast, p).run_time.since_start() == alone + memory(kMegabyte));
}

TEST_CASE("a message to oneself is a message inside the node") {
  const RankCode ranks{[](ProgramBuilder& b) {
    b.isend_and_forget({0, 0, 0}, Bytes{kMegabyte});
    b.recv({0, 0, 0}, Bytes{kMegabyte});
  }};
  CHECK(run_ranks(ranks, machine(1)).run_time.since_start() == kMemoryLatency + memory(kMegabyte));
}

TEST_CASE("between machines a message takes the WAN's latency and bandwidth and no bus") {
  auto p = machine(1);
  p.machines.push_back(p.machines.front());
  p.machines[1].name = "other";
  network_of(p).buses = 1;
  p.wan.latency = ms(3);
  p.wan.bandwidth = Bandwidth::bytes_per_second(1e7);
  CHECK(ends({sender(1, 1000), receiver(0, 1000)}, p) == std::vector{ms(3), ms(3) + us(100)});
  p.wan.flight = {{Duration{}, ms(20)}, {ms(40), Duration{}}};
  CHECK(ends({sender(1, 1000), receiver(0, 1000)}, p)[1] == ms(23) + us(100));
  CHECK(ends({receiver(1, 1000), sender(0, 1000)}, p)[0] == ms(43) + us(100));
}

TEST_CASE("a burst takes its traced time divided by the CPU's relative speed") {
  auto p = machine(1);
  nodes_of(p).relative_speed = 4;
  const RankCode ranks{[](ProgramBuilder& b) { b.compute(ms(2)); }};
  CHECK(ends(ranks, p)[0] == us(500));
}

TEST_CASE("ranks without a CPU of their own take turns after each burst") {
  const auto twice = [](ProgramBuilder& b) {
    b.compute(ms(1));
    b.compute(ms(1));
  };
  CHECK(ends({twice, twice, twice}, machine(1, 3)) == std::vector{ms(2), ms(2), ms(2)});
  CHECK(ends({twice, twice, twice}, machine(1, 1)) == std::vector{ms(4), ms(5), ms(6)});
}
