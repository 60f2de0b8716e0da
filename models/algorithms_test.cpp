// Collectives as algorithms on a network: their uncontended times, and their equality under contention with
// the same messages in a program. 100 MB/s, so a byte takes 10 ns; 10 us of latency, in flight.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/test_machine.hpp"
#include "models/test_run.hpp"
#include "platforms/mapping.hpp"
#include "sim/algorithms/block_sizes.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

using enum CollectiveKind;

constexpr std::int64_t kLatency = 10 * kUs;
constexpr std::uint32_t kSomeRanks[] = {2, 3, 5, 8, 13, 16};

constexpr std::int64_t message(std::uint64_t bytes) {
  return kLatency + static_cast<std::int64_t>(bytes) * 10'000;
}

Platform flat(std::uint32_t nodes) {
  auto p = test_machine(nodes);
  auto& network = p.machines[0].network;
  network.latency = Duration::picoseconds(kLatency);
  network.latency_at = Network::LatencyAt::flight;
  return p;
}

Platform with(Platform p, CollectiveKind kind, Algorithm algorithm) {
  p.mpi.collectives.by_kind[static_cast<std::size_t>(kind)] = {{Bytes{0}, {}, algorithm}};
  return p;
}

CollectiveArgs args_of(CollectiveKind kind, std::uint32_t rank, std::uint32_t root, std::uint64_t send,
                       std::uint64_t recv, std::uint32_t communicator = 0) {
  CollectiveArgs a;
  a.kind = kind;
  a.is_root = has_root(kind) && rank == root;
  a.communicator = communicator;
  a.send_bytes = send;
  a.recv_bytes = recv;
  return a;
}

std::int64_t time_of(CollectiveKind kind, Algorithm algorithm, std::uint32_t ranks, std::uint64_t bytes) {
  return complete_run(one_collective(kind, ranks, bytes), with(flat(ranks), kind, algorithm))
      .run_time.count();
}

std::uint32_t log2_down(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}
std::uint32_t log2_up(std::uint32_t n) {
  return log2_down(n - 1) + 1;
}

// ---- the same messages, written out

struct Job {
  CollectiveKind kind;
  Algorithm algorithm;
  std::uint32_t ranks, root;
};

// A different size for each rank, some of them 0, where the operation allows it.
std::uint64_t own_size(std::uint32_t rank) {
  return rank % 4 == 2 ? 0 : 700 * (1 + (rank * 5) % 7);
}
bool has_own_sizes(CollectiveKind k) {
  return k == gatherv || k == scatterv || k == allgatherv || k == alltoallv || k == alltoallw ||
         k == reduce_scatter;
}
constexpr std::uint64_t kBytes = 20'001;

BlockSizes sizes_of(const Job& job) {
  std::vector<std::uint64_t> own;
  for (std::uint32_t r = 0; r < job.ranks; ++r) own.push_back(own_size(r));
  if (job.kind == barrier) return BlockSizes::equal(0);
  if (job.kind == alltoallv || job.kind == alltoallw) return BlockSizes::by_sender(own);
  if (has_own_sizes(job.kind)) return BlockSizes::listed(own);
  const std::array vectors{bcast, reduce, allreduce, scan, exscan};
  return std::find(vectors.begin(), vectors.end(), job.kind) != vectors.end() ? BlockSizes::parts_of(kBytes)
                                                                              : BlockSizes::equal(kBytes);
}

/// After the messages of its first round the rank computes for `between`.
void write_out(ProgramBuilder& b, const Job& job, std::uint32_t rank, Duration between = {}) {
  const auto& schedule = *find_schedule(job.algorithm, job.kind);
  const Site site{job.ranks, rank, job.root, schedule.blocks(job.ranks, kBytes)};
  const auto sizes = sizes_of(job);
  Round round;
  for (std::uint32_t i = 0; schedule.round(site, i, round); ++i) {
    std::vector<std::uint32_t> slots;
    for (const auto& r : round.receives)
      slots.push_back(b.irecv({.peer = r.peer, .tag = 1}, Bytes{sizes.bytes(site, r.peer, r.blocks)}));
    for (const auto& s : round.sends)
      slots.push_back(b.isend({.peer = s.peer, .tag = 1}, Bytes{sizes.bytes(site, rank, s.blocks)}));
    if (slots.empty()) continue;
    b.compute(std::exchange(between, Duration()));
    for (const auto slot : slots) b.wait(slot);
  }
  b.compute(between);  // a rank without messages
}

// Two of the collectives, in the middle of bursts and of messages to the next rank.
Program job_program(const Job& job, bool written_out) {
  ProgramBuilder b(job.ranks);
  for (std::uint32_t r = 0; r < job.ranks; ++r) {
    b.begin_strand(r);
    b.compute(Duration::picoseconds((r * 7 % 5) * 3 * kUs));
    const auto next = (r + 1) % job.ranks, before = (r + job.ranks - 1) % job.ranks;
    const auto in = b.irecv({.peer = before}, Bytes{5000});
    const auto out = b.isend({.peer = next}, Bytes{5000});
    for (int i = 0; i < 2; ++i) {
      if (written_out) {
        write_out(b, job, r);
      } else {
        const auto bytes = has_own_sizes(job.kind) ? own_size(r) : job.kind == barrier ? 0 : kBytes;
        b.collective(args_of(job.kind, r, job.root, bytes, bytes));
      }
      b.compute(Duration::picoseconds((r % 3) * kUs));
    }
    b.wait(in);
    b.wait(out);
  }
  return b.build();
}

/// Each rank computes between the start of the collective and the wait for it.
Program overlapped_job(const Job& job, bool written_out) {
  ProgramBuilder b(job.ranks);
  for (std::uint32_t r = 0; r < job.ranks; ++r) {
    b.begin_strand(r);
    b.compute(Duration::picoseconds((r * 7 % 5) * 3 * kUs));
    const auto between = Duration::picoseconds((1 + r * 11 % 4) * 40 * kUs);
    if (written_out) {
      write_out(b, job, r, between);
      continue;
    }
    const auto bytes = has_own_sizes(job.kind) ? own_size(r) : job.kind == barrier ? 0 : kBytes;
    auto args = args_of(job.kind, r, job.root, bytes, bytes);
    args.sync = CollectiveArgs::Sync::nonblocking;
    const auto request = b.collective_start(args);
    b.compute(between);
    b.wait(request);
  }
  return b.build();
}

Platform crowded(std::uint32_t ranks, bool flight, bool rendezvous) {
  auto p = flat((ranks + 1) / 2);
  auto& group = p.machines[0].nodes[0];
  group.cpus = 2;
  group.links = {Links::Kind::full_duplex, 1, 1};
  group.intra_node.bandwidth = Bandwidth::bytes_per_second(1e9);
  group.intra_node.latency = Duration::picoseconds(kUs);
  group.intra_node.links = {Links::Kind::half_duplex, 1, 1};
  group.overheads = {Duration::picoseconds(kUs / 2), Duration::picoseconds(kUs / 4)};
  p.machines[0].network.buses = 2;
  if (!flight) p.machines[0].network.latency_at = Network::LatencyAt::cpu;
  if (rendezvous) {
    p.mpi.rendezvous_from = Bytes{3000};
    p.mpi.send_completes = Mpi::SendCompletes::transfer;
    p.mpi.handshake = Duration::picoseconds(2 * kUs);
  }
  return p;
}

void for_all(const std::vector<std::uint32_t>& ranks, const std::function<void(const Job&)>& check) {
  for (const auto& named : kAlgorithmNames)
    for (std::size_t k = 0; k <= static_cast<std::size_t>(exscan); ++k) {
      const auto kind = static_cast<CollectiveKind>(k);
      if (find_schedule(named.second, kind) == nullptr) continue;
      for (const auto n : ranks) {
        CAPTURE(std::string(named.first));
        CAPTURE(std::string(name_of(kind)));
        CAPTURE(n);
        check({kind, named.second, n, has_root(kind) ? n / 2 : 0});
      }
    }
}

}  // namespace

TEST_CASE(
    "under contention an algorithm takes as long as the same messages in a program, to the picosecond") {
  for_all({1, 2, 5, 8}, [](const Job& job) {
    for (const bool flight : {false, true})
      for (const bool rendezvous : {false, true}) {
        const auto platform = crowded(job.ranks, flight, rendezvous);
        const auto a = complete_run(job_program(job, false), with(platform, job.kind, job.algorithm));
        const auto b = complete_run(job_program(job, true), platform);
        REQUIRE(a.run_time == b.run_time);
        REQUIRE(a.collective_messages + a.messages == b.messages);
        REQUIRE(a.collective_bytes + a.bytes == b.bytes);
        bool equal = true;
        for (std::uint32_t r = 0; r < job.ranks; ++r)
          equal = equal && a.ranks[r].end == b.ranks[r].end && a.ranks[r].link_wait == b.ranks[r].link_wait &&
                  a.ranks[r].bus_wait == b.ranks[r].bus_wait;
        REQUIRE(equal);
      }
  });
}

TEST_CASE(
    "with progress in calls the rounds after the first wait for the call that waits for the collective") {
  for_all({1, 2, 5, 8}, [](const Job& job) {
    for (const auto sharing : {Network::Sharing::exclusive, Network::Sharing::fair})
      for (const bool rendezvous : {false, true}) {
        auto platform = crowded(2 * job.ranks, true, rendezvous);
        auto& group = platform.machines[0].nodes[0];
        group.cpus = rendezvous ? 2 : 1;
        platform.mapping.kind = Mapping::Kind::round_robin;
        group.overheads.receive = {};          // else an early wait pays it before the burst
        if (rendezvous) group.overheads = {};  // while it pays one between two rounds, a rank reads nothing
        platform.machines[0].network.sharing = sharing;
        platform.mpi.progress = Mpi::Progress::in_calls;
        const auto a = complete_run(overlapped_job(job, false), with(platform, job.kind, job.algorithm));
        const auto b = complete_run(overlapped_job(job, true), platform);
        REQUIRE(a.run_time == b.run_time);
        bool equal = true;
        for (std::uint32_t r = 0; r < job.ranks; ++r)
          equal = equal && a.ranks[r].end == b.ranks[r].end && a.ranks[r].link_wait == b.ranks[r].link_wait;
        REQUIRE(equal);
      }
  });
}

TEST_CASE("with nothing to wait for, both models agree on every algorithm, and a rank's times add up") {
  for_all({3, 8}, [](const Job& job) {
    const auto platform = with(flat(job.ranks), job.kind, job.algorithm);
    const auto program = job_program(job, false);
    const auto contended = complete_run(program, platform), ideal = complete_run(program, platform, "ideal");
    REQUIRE(contended.run_time == ideal.run_time);
    for (const auto& r : contended.ranks) {
      const auto& t = r.times;
      CHECK(t.compute + t.latency + t.wait + t.collective_wait + t.collective + t.cpu_wait ==
            r.end - Time::at(Duration{}));
    }
  });
}

TEST_CASE("a star takes the time of one message, a chain that of P - 1") {
  for (const auto p : kSomeRanks) {
    CHECK(time_of(bcast, Algorithm::linear, p, 1000) == message(1000));
    CHECK(time_of(alltoall, Algorithm::linear, p, 1000) == message(1000));
    CHECK(time_of(barrier, Algorithm::linear, p, 0) == 2 * message(0));
    CHECK(time_of(bcast, Algorithm::chain, p, 1000) == (p - 1) * message(1000));
    CHECK(time_of(scan, Algorithm::linear, p, 1000) == (p - 1) * message(1000));
  }
}

TEST_CASE("a tree takes as many messages as a position has bits") {
  for (const auto p : kSomeRanks) {
    int bits = 0;
    for (std::uint32_t v = 1; v < p; ++v) bits = std::max(bits, std::popcount(v));
    CHECK(time_of(bcast, Algorithm::binomial, p, 1000) == bits * message(1000));
    CHECK(time_of(reduce, Algorithm::binomial, p, 1000) == bits * message(1000));
    CHECK(time_of(allreduce, Algorithm::binomial, p, 1000) == 2 * bits * message(1000));
  }
}

TEST_CASE("rings and pairwise exchanges take P - 1 messages of a block") {
  for (const auto p : kSomeRanks) {
    CHECK(time_of(allgather, Algorithm::ring, p, 1000) == (p - 1) * message(1000));
    CHECK(time_of(alltoall, Algorithm::pairwise, p, 1000) == (p - 1) * message(1000));
    CHECK(time_of(allreduce, Algorithm::ring, p, 1000 * p) == 2 * (p - 1) * message(1000));
  }
}

TEST_CASE(
    "recursive doubling takes log2 P' vectors, and up to two more if P is not a power of two, or three in a "
    "Barrier") {
  for (const auto p : kSomeRanks) {
    // A single rank that folds is late for one exchange only: its partner's partner does not wait for it.
    const auto extra = p - std::bit_floor(p);
    const auto steps = log2_down(p) + std::min(extra, 2U);
    CHECK(time_of(allreduce, Algorithm::recursive_doubling, p, 1000) == steps * message(1000));
    const auto answer = extra > 0 ? 1U : 0U;
    CHECK(time_of(barrier, Algorithm::recursive_doubling, p, 0) == (steps + answer) * message(0));
    CHECK(time_of(scan, Algorithm::recursive_doubling, p, 1000) == log2_up(p) * message(1000));
  }
}

TEST_CASE("Bruck's rounds are ceil(log2 P), with the blocks whose distance has the round's bit") {
  for (const auto p : kSomeRanks) {
    std::int64_t gathered = 0, exchanged = 0;
    for (std::uint32_t d = 1; d < p; d *= 2) {
      std::uint64_t with_bit = 0;
      for (std::uint32_t j = 1; j < p; ++j) with_bit += (j & d) != 0 ? 1 : 0;
      gathered += message(1000 * std::min(d, p - d));
      exchanged += message(1000 * with_bit);
    }
    CHECK(time_of(barrier, Algorithm::bruck, p, 0) == log2_up(p) * message(0));
    CHECK(time_of(allgather, Algorithm::bruck, p, 1000) == gathered);
    CHECK(time_of(alltoall, Algorithm::bruck, p, 1000) == exchanged);
  }
}

TEST_CASE("Rabenseifner takes halves of the vector, down and up again") {
  for (const std::uint32_t p : {2U, 8U, 16U}) {
    std::int64_t halves = 0;
    for (std::uint32_t part = 2; part <= p; part *= 2) halves += message(16'000 / part);
    CHECK(time_of(allreduce, Algorithm::rabenseifner, p, 16'000) == 2 * halves);
    CHECK(time_of(reduce, Algorithm::rabenseifner, p, 16'000) == 2 * halves);
  }
  // Of 5 ranks one folds into its neighbour: a whole vector in and out.
  CHECK(time_of(allreduce, Algorithm::rabenseifner, 5, 16'000) ==
        2 * message(16'000) + 2 * message(8'000) + 2 * message(4'000));
}

TEST_CASE("collectives of communicators that share ranks do not mix, and wait for late ranks separately") {
  ProgramBuilder b(4);
  const auto left = b.add_communicator({1, 0}), right = b.add_communicator({2, 3});
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    if (r == 3) b.compute(Duration::picoseconds(50 * kUs));
    b.collective(args_of(allreduce, r, 0, 1000, 1000, r < 2 ? left : right));
    b.collective(args_of(bcast, r, 3, 1000, 1000));
  }
  auto platform = with(flat(4), allreduce, Algorithm::recursive_doubling);
  platform = with(platform, bcast, Algorithm::binomial);
  const auto r = complete_run(b.build(), platform);
  // The parts of the right Allreduce that rank 3 needs are present when it arrives at 50 us. Then it
  // broadcasts: 2 in a row.
  CHECK(r.run_time.count() == 50 * kUs + 2 * message(1000));
  CHECK(r.collective_messages == 4 + 3);
  CHECK(r.ranks[2].times.collective_wait.count() == 50 * kUs);
  CHECK(r.ranks[2].times.collective.count() == r.ranks[2].end.count() - 50 * kUs);
  CHECK(r.ranks[0].times.wait == Duration{});
}

TEST_CASE("a non-blocking algorithm advances when its rank leaves the CPU free") {
  const auto ibarrier = [](std::uint32_t ranks) {
    ProgramBuilder b(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      b.begin_strand(r);
      auto args = args_of(barrier, r, 0, 0, 0);
      args.sync = CollectiveArgs::Sync::nonblocking;
      const auto slot = b.collective_start(args);
      b.compute(Duration::picoseconds(100 * kUs));
      b.wait(slot);
    }
    return complete_run(b.build(), with(flat(ranks), barrier, Algorithm::bruck)).run_time.count();
  };
  CHECK(ibarrier(2) == 100 * kUs);             // its only message arrived meanwhile
  CHECK(ibarrier(4) == 100 * kUs + kLatency);  // the second round starts when the burst is over
}

TEST_CASE("an algorithm is chosen by bytes per rank, and other sizes stay closed forms") {
  auto platform = flat(4);
  platform.mpi.collectives.by_kind[static_cast<std::size_t>(allreduce)] = {
      {Bytes{0}, {}, Algorithm::recursive_doubling}, {Bytes{4000}, {}, Algorithm::ring}};
  CHECK(complete_run(one_collective(allreduce, 4, 3999), platform).collective_messages == 8);
  CHECK(complete_run(one_collective(allreduce, 4, 4000), platform).collective_messages == 24);
  CHECK(complete_run(one_collective(bcast, 4, 4000), platform).collective_messages == 0);
}

TEST_CASE("between machines the messages of an algorithm take the WAN, by its own table") {
  auto platform = flat(2);
  platform.machines.push_back(platform.machines.front());
  platform.wan.latency = Duration::picoseconds(100 * kUs);
  platform.wan.bandwidth = Bandwidth::bytes_per_second(1e6);
  platform.wan.latency_at = Network::LatencyAt::flight;
  platform.wan.collectives.by_kind[static_cast<std::size_t>(bcast)] = {{Bytes{0}, {}, Algorithm::chain}};
  ProgramBuilder b(4);
  const auto inside = b.add_communicator({0, 1});
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    if (r < 2) b.collective(args_of(bcast, r, 0, 1000, 1000, inside));  // a closed form: it spans no machines
    b.collective(args_of(bcast, r, 0, 1000, 1000));
  }
  const auto r = complete_run(b.build(), platform);
  CHECK(r.collective_messages == 3);
  // From 0 to 1 inside a machine, from 1 to 2 over the WAN, from 2 to 3 inside the other.
  CHECK(r.run_time.count() == 3 * message(1000) + 100 * kUs + 1000 * kUs);
}

TEST_CASE("a Reduce made of messages to the root does not shift the algorithms after it") {
  auto platform = with(flat(3), bcast, Algorithm::binomial);
  platform.preset = Preset::dimemas_5_5;
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    auto args = args_of(reduce, r, 0, 100, 100);
    args.sync = CollectiveArgs::Sync::root_synchronised;
    b.collective(args);
    b.collective(args_of(bcast, r, 0, 1000, 1000));
  }
  CHECK(complete_run(b.build(), platform).collective_messages == 2);
}
