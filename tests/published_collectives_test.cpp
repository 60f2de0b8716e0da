// Collectives in the published Dimemas description: T = FAN_IN + FAN_OUT, each (L + SIZE / BW) * factor, with
// factor 0, 1, P or Nsteps (docs/model.md, section 5.2).
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "validation/simulated/textbook.hpp"

#include "models/test_run.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

using Sync = CollectiveArgs::Sync;
using Args = std::function<CollectiveArgs(std::uint32_t rank)>;

// Every rank computes for its number of microseconds, then joins. The operation's own time is what is left
// after the last rank came.
Duration cost(const Platform& platform, std::uint32_t ranks, const Args& args) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    b.compute(us(r));
    b.collective(args(r));
  }
  const auto result = complete_run(b.build(), platform);
  for (const auto& rank : result.ranks) CHECK(rank.end == result.run_time);
  return result.run_time.since_start() - us(ranks - 1);
}

Args same(CollectiveKind kind, std::uint64_t send, std::uint64_t receive) {
  return [=](std::uint32_t rank) {
    CollectiveArgs a;
    a.kind = kind;
    a.is_root = rank == 0;
    a.send_bytes = send;
    a.recv_bytes = receive;
    return a;
  };
}

void set(Platform& p, CollectiveKind kind, Fan in, Fan out) {
  p.mpi.collectives.by_kind[static_cast<std::size_t>(kind)] = {{Bytes{0}, {in, out}}};
}

constexpr Fan kNoFan{FanModel::none, SizeRule::max};

// One phase of the tree with `size` bytes, times `factor`.
Duration phase(std::uint64_t size, std::int64_t factor) {
  return (kLatency + network(size)) * factor;
}

// sum over i = 1 .. ceil(log2 P) of ceil(C_i / B), C_i = ceil((P - 2^(i-1)) / 2^i).
std::int64_t nsteps(std::int64_t ranks, std::int64_t buses) {
  std::int64_t steps = 0;
  for (std::int64_t half = 1; half < ranks; half *= 2) {
    const auto messages = (ranks - half + 2 * half - 1) / (2 * half);
    steps += buses == 0 ? 1 : (messages + buses - 1) / buses;
  }
  return steps;
}

}  // namespace

TEST_CASE("a Bcast of 1 MB on 16 nodes takes 4 steps, 5 on 5 buses, 15 on one") {
  auto p = machine(16);
  const auto bcast = same(CollectiveKind::bcast, kMegabyte, kMegabyte);
  CHECK(cost(p, 16, bcast) == us(40'040));
  network_of(p).buses = 5;  // 2 + 1 + 1 + 1
  CHECK(cost(p, 16, bcast) == us(50'050));
  network_of(p).buses = 1;  // 8 + 4 + 2 + 1
  CHECK(cost(p, 16, bcast) == us(150'150));
}

TEST_CASE("13 ranks take 4 steps without a limit and 7 on two buses") {
  // C = 6, 3, 2, 1.
  auto p = machine(13);
  CHECK(cost(p, 13, same(CollectiveKind::bcast, kMegabyte, kMegabyte)) == phase(kMegabyte, 4));
  network_of(p).buses = 2;  // 3 + 2 + 1 + 1
  CHECK(cost(p, 13, same(CollectiveKind::bcast, kMegabyte, kMegabyte)) == phase(kMegabyte, 7));
}

TEST_CASE("a linear Gather on 16 ranks takes 16 times L + S / BW") {
  auto p = machine(16);
  set(p, CollectiveKind::gather, {FanModel::linear, SizeRule::max}, kNoFan);
  CHECK(cost(p, 16, same(CollectiveKind::gather, kMegabyte, kMegabyte)) == us(160'160));
}

TEST_CASE("the number of steps is the sum of ceil(C / B) over the phases of the tree") {
  CHECK(nsteps(16, 0) == 4);
  CHECK(nsteps(16, 5) == 5);
  CHECK(nsteps(16, 1) == 15);
  CHECK(nsteps(13, 2) == 7);
  CHECK(nsteps(1, 3) == 0);
  for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 17U, 33U, 64U})
    for (const std::uint32_t buses : {0U, 1U, 2U, 3U, 5U, 8U, 100U}) {
      CAPTURE(ranks);
      CAPTURE(buses);
      auto p = machine(ranks);
      network_of(p).buses = buses;
      CHECK(cost(p, ranks, same(CollectiveKind::bcast, 1000, 1000)) ==
            (ranks == 1 ? Duration{} : phase(1000, nsteps(ranks, buses))));
    }
}

TEST_CASE("each phase takes its factor: 0, 1, P or the number of steps") {
  const std::pair<FanModel, std::int64_t> models[] = {
      {FanModel::none, 0}, {FanModel::constant, 1}, {FanModel::linear, 8}, {FanModel::logarithmic, 3}};
  for (const auto& [in, factor_in] : models)
    for (const auto& [out, factor_out] : models) {
      auto p = machine(8);
      set(p, CollectiveKind::gather, {in, SizeRule::min}, {out, SizeRule::max});
      CHECK(cost(p, 8, same(CollectiveKind::gather, 3000, 5000)) ==
            phase(3000, factor_in) + phase(5000, factor_out));
    }
}

TEST_CASE("a size rule takes its size from what the root sends and receives") {
  const std::pair<SizeRule, std::uint64_t> rules[] = {{SizeRule::max, 5000},
                                                      {SizeRule::min, 3000},
                                                      {SizeRule::mean, 4000},
                                                      {SizeRule::twice_max, 10000},
                                                      {SizeRule::sum, 8000}};
  // Other ranks' sizes do not count where there is a root.
  const Args gather = [](std::uint32_t rank) {
    auto a = same(CollectiveKind::gather, 3000, 5000)(rank);
    if (rank != 0) a.send_bytes = a.recv_bytes = 1'000'000;
    return a;
  };
  for (const auto& [rule, size] : rules)
    for (const bool in : {true, false}) {
      auto p = machine(4);
      const Fan fan{FanModel::constant, rule};
      set(p, CollectiveKind::gather, in ? fan : kNoFan, in ? kNoFan : fan);
      CHECK(cost(p, 4, gather) == phase(size, 1));
    }
}

TEST_CASE("without a root the largest sizes of all members count") {
  auto p = machine(4);
  set(p, CollectiveKind::alltoall, {FanModel::constant, SizeRule::sum}, kNoFan);
  const Args alltoall = [](std::uint32_t rank) {
    auto a = same(CollectiveKind::alltoall, 1000 * rank, 5000 - 1000 * rank)(rank);
    a.is_root = false;
    return a;
  };
  CHECK(cost(p, 4, alltoall) == phase(3000 + 5000, 1));
}

TEST_CASE("a mark of a root means nothing where an operation has none") {
  auto p = machine(4);
  set(p, CollectiveKind::alltoall, {FanModel::constant, SizeRule::sum}, kNoFan);
  const Args alltoall = [](std::uint32_t rank) {
    return same(CollectiveKind::alltoall, 1000 * rank, 5000 - 1000 * rank)(rank);
  };
  CHECK(cost(p, 4, alltoall) == phase(3000 + 5000, 1));
}

TEST_CASE("the default table gives each operation its models and sizes") {
  using enum CollectiveKind;
  constexpr std::uint64_t s = 1000, r = 3000, kMean = 2000, kMax = 3000, kTwiceMax = 6000, kMin = 1000;
  const auto steps = nsteps(8, 3);
  struct Row {
    CollectiveKind kind;
    Duration expected;
  };
  const auto log = [&](std::uint64_t size) { return phase(size, steps); };
  const Row rows[] = {
      {bcast, log(kMax)},
      {gather, log(kMean)},
      {gatherv, log(kMean)},
      {scatter, log(kMean)},
      {scatterv, log(kMean)},
      {allgather, log(kMean) + log(kMean)},
      {allgatherv, log(kMean) + log(kMean)},
      {alltoall, log(kMean) + log(kMean)},
      {alltoallv, log(kMean) + log(kMean)},
      {alltoallw, log(kMean) + log(kMean)},
      {reduce, log(kTwiceMax)},
      {allreduce, log(kTwiceMax) + log(kMax)},
      {reduce_scatter, log(kTwiceMax) + log(kMin)},
      {reduce_scatter_block, log(kTwiceMax) + log(kMin)},
      {scan, log(kMax) + log(kMax)},
      {exscan, log(kMax) + log(kMax)},
  };
  for (const auto& row : rows) {
    INFO(name_of(row.kind));
    auto p = machine(8);
    network_of(p).buses = 3;
    CHECK(cost(p, 8, same(row.kind, s, r)) == row.expected);
  }
}

TEST_CASE("a Barrier moves no bytes, whatever a trace says") {
  CHECK(cost(machine(8), 8, same(CollectiveKind::barrier, 1000, 3000)) == phase(0, 6));
}

TEST_CASE("operations that only synchronise cost a Barrier, Init and Finalize nothing") {
  using enum CollectiveKind;
  for (const auto kind : {comm_dup, comm_split, comm_create, intercomm_create, intercomm_merge, cart_create,
                          graph_create, win_create, win_free, win_fence, file}) {
    INFO(name_of(kind));
    CHECK(cost(machine(8), 8, same(kind, 0, 0)) == phase(0, 6));
  }
  CHECK(cost(machine(8), 8, same(barrier, 0, 0)) == phase(0, 6));
  CHECK(cost(machine(8), 8, same(init, 0, 0)) == Duration{});
  CHECK(cost(machine(8), 8, same(finalize, 0, 0)) == Duration{});
}

TEST_CASE("a platform's own row or its default entry replaces the table") {
  auto p = machine(8);
  p.mpi.collectives.fallback = {{Bytes{0}, {{FanModel::constant, SizeRule::max}, kNoFan}}};
  CHECK(cost(p, 8, same(CollectiveKind::allreduce, 1000, 1000)) == phase(1000, 1));
  set(p, CollectiveKind::allreduce, kNoFan, {FanModel::linear, SizeRule::max});
  CHECK(cost(p, 8, same(CollectiveKind::allreduce, 1000, 1000)) == phase(1000, 8));
}

TEST_CASE("P counts ranks, not nodes, also when several share a node") {
  auto p = machine(2, 4);
  CHECK(cost(p, 8, same(CollectiveKind::bcast, 1000, 1000)) == phase(1000, 3));
  network_of(p).buses = 1;
  CHECK(cost(p, 8, same(CollectiveKind::bcast, 1000, 1000)) == phase(1000, nsteps(8, 1)));
}

TEST_CASE("inside one node a collective takes the node's latency and bandwidth") {
  auto p = machine(1, 8);
  CHECK(cost(p, 8, same(CollectiveKind::bcast, 1000, 1000)) == (kMemoryLatency + memory(1000)) * 3);
}

TEST_CASE("the largest latency of the nodes that take part counts") {
  auto p = machine(2);
  auto slow = nodes_of(p);
  slow.latency = us(70);
  p.machines.front().nodes.push_back(slow);
  p.mapping = {Mapping::Kind::nodes, 1, {0, 1, 2, 3}};
  CHECK(cost(p, 4, same(CollectiveKind::barrier, 0, 0)) == us(70) * 4);
  CHECK(cost(p, 2, same(CollectiveKind::barrier, 0, 0)) == kLatency * 2);
}

TEST_CASE("across machines a collective takes the WAN's latency and bandwidth, and all ranks count") {
  auto p = machine(2, 2);
  p.machines.push_back(p.machines.front());
  p.machines[1].name = "other";
  p.wan.latency = ms(3);
  p.wan.bandwidth = Bandwidth::bytes_per_second(1e7);
  CHECK(cost(p, 8, same(CollectiveKind::bcast, 1000, 1000)) == (ms(3) + us(100)) * 3);
}

namespace {

// Ranks 0 and 1 join a Bcast of 1 MB at 0; rank 2 sends 1 MB to rank 3 after `before`.
Result collective_beside_message(const Platform& platform, Duration before) {
  ProgramBuilder b(4);
  const auto pair = b.add_communicator({0, 1});
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    if (r < 2) {
      auto a = same(CollectiveKind::bcast, kMegabyte, kMegabyte)(r);
      a.communicator = pair;
      b.compute(ms(1));
      b.collective(a);
    } else if (r == 2) {
      b.compute(before);
      b.send({3, 0, 0}, Bytes{kMegabyte});
    } else {
      b.recv({2, 0, 0}, Bytes{kMegabyte});
    }
  }
  return complete_run(b.build(), platform);
}

}  // namespace

TEST_CASE("a collective holds all buses, so that messages wait for it") {
  auto p = machine(4);
  network_of(p).buses = 2;
  const auto collective = phase(kMegabyte, 1);
  const auto message = network(kMegabyte);
  SUBCASE("a message that comes later starts when the collective has ended") {
    const auto r = collective_beside_message(p, ms(2));
    CHECK(r.ranks[1].end.since_start() == ms(1) + collective);
    CHECK(r.ranks[3].end.since_start() == ms(1) + collective + message);
    CHECK(r.ranks[2].bus_wait == ms(1) + collective - (ms(2) + kLatency));
  }
  SUBCASE("a collective waits for a message that has a bus") {
    const auto r = collective_beside_message(p, Duration{});
    CHECK(r.ranks[3].end.since_start() == kLatency + message);
    CHECK(r.ranks[1].end.since_start() == kLatency + message + collective);
  }
  SUBCASE("a platform can switch that off") {
    p.mpi.collectives_hold_buses = false;
    const auto later = collective_beside_message(p, ms(2));
    CHECK(later.ranks[1].end.since_start() == ms(1) + collective);
    CHECK(later.ranks[3].end.since_start() == ms(2) + kLatency + message);
    const auto earlier = collective_beside_message(p, Duration{});
    CHECK(earlier.ranks[1].end.since_start() == ms(1) + collective);
    CHECK(earlier.ranks[3].end.since_start() == kLatency + message);
  }
  SUBCASE("unlimited buses are not held") {
    network_of(p).buses = kUnlimited;
    CHECK(collective_beside_message(p, ms(2)).ranks[3].end.since_start() == ms(2) + kLatency + message);
  }
}

TEST_CASE("a non-blocking collective ends its cost after the last rank has started it") {
  // Ranks start it at 0, 1, 2 and 3 ms and wait for it after `work`; Bcast on 4 ranks: 2 steps = 20.02 ms.
  for (const auto work : {Duration{}, ms(5), ms(60)}) {
    ProgramBuilder b(4);
    for (std::uint32_t r = 0; r < 4; ++r) {
      auto a = same(CollectiveKind::bcast, kMegabyte, kMegabyte)(r);
      a.sync = Sync::nonblocking;
      b.begin_strand(r);
      b.compute(ms(r));
      const auto slot = b.collective_start(a);
      b.compute(work);
      b.wait(slot);
    }
    const auto result = complete_run(b.build(), machine(4));
    for (std::uint32_t r = 0; r < 4; ++r)
      CHECK(result.ranks[r].end.since_start() == std::max(ms(3) + phase(kMegabyte, 2), ms(r) + work));
  }
}

TEST_CASE("non-blocking collectives are matched in the order in which each rank starts them") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    auto first = same(CollectiveKind::bcast, kMegabyte, kMegabyte)(r),
         second = same(CollectiveKind::bcast, 0, 0)(r);
    first.sync = second.sync = Sync::nonblocking;
    b.begin_strand(r);
    const auto slow = b.collective_start(first);
    const auto quick = b.collective_start(second);
    b.wait(quick);
    b.wait(slow);
  }
  CHECK(complete_run(b.build(), machine(2)).run_time.since_start() == phase(kMegabyte, 1));
}

TEST_CASE("what a rank does between two starts does not change which calls belong together") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    auto slow = same(CollectiveKind::bcast, kMegabyte, kMegabyte)(r),
         quick = same(CollectiveKind::barrier, 0, 0)(r);
    slow.sync = quick.sync = Sync::nonblocking;
    b.begin_strand(r);
    b.collective_start(slow);
    if (r == 1) b.compute(ms(1));
    b.wait(b.collective_start(quick));
  }
  // Nobody waits for the Bcast. The Barrier takes 20 us from 1 ms on.
  CHECK(ends_of(complete_run(b.build(), machine(2))) == std::vector{us(1020), us(1020)});
}
