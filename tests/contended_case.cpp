#include "tests/contended_case.hpp"

#include <cmath>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"
#include "tests/random_platform.hpp"
#include "validation/simulated/textbook.hpp"

namespace busline {

using namespace textbook;

namespace {

/// Between the two, on a logarithmic scale.
double drawn_between(Random& random, double low, double high) {
  return low * std::pow(high / low, random.unit());
}

Platform contended_platform(std::uint32_t ranks, Random& random) {
  const auto ranks_per_node = 1 + random.below(2);
  auto p = machine(ranks / ranks_per_node, ranks_per_node);
  nodes_of(p).links =
      random.one_in(4) ? Links{Links::Kind::half_duplex, 1, 1} : full_duplex(1 + random.below(2));
  network_of(p).buses = random.below(4);
  network_of(p).latency = Duration::from_double(drawn_between(random, 1e6, 5e8));
  if (random.one_in(2)) network_of(p).latency_at = Network::LatencyAt::flight;
  if (random.one_in(2)) p.mpi.rendezvous_from = Bytes{random.below(100'000)};
  if (random.one_in(2)) p.mpi.send_completes = Mpi::SendCompletes::transfer;
  if (random.one_in(6)) network_of(p).sharing = Network::Sharing::fair;
  if (random.one_in(6)) network_of(p).sharing = Network::Sharing::queues;
  return p;
}

struct Exchange {
  std::uint32_t distance;
  Bytes size;
};

/// All receives, all sends, then all waits.
void exchange(ProgramBuilder& b, std::uint32_t rank, const std::vector<Exchange>& exchanges) {
  std::vector<std::uint32_t> requests;
  const auto peers = [&](const auto& act) {
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      const auto tag = static_cast<std::int32_t>(2 * i);
      const auto up = (rank + exchanges[i].distance) % b.ranks();
      const auto down = (rank + b.ranks() - exchanges[i].distance) % b.ranks();
      act(up, down, tag, exchanges[i].size);
      act(down, up, tag + 1, exchanges[i].size);
    }
  };
  b.begin_call(b.call_name("MPI_Irecv"));
  peers([&](std::uint32_t, std::uint32_t from, std::int32_t tag, Bytes size) {
    requests.push_back(b.irecv({from, tag}, size));
  });
  b.begin_call(b.call_name("MPI_Isend"));
  peers([&](std::uint32_t to, std::uint32_t, std::int32_t tag, Bytes size) {
    requests.push_back(b.isend({to, tag}, size));
  });
  b.begin_call(b.call_name("MPI_Waitall"));
  for (const auto r : requests) b.wait(r);
}

}  // namespace

ContendedCase contended_case(std::uint64_t seed) {
  Random random(seed * 104'729);
  const std::uint32_t ranks = 4U << random.below(3);
  auto platform = contended_platform(ranks, random);
  std::vector<Exchange> exchanges;
  double bytes = 0;
  for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
    exchanges.push_back(
        {1 + random.below(ranks - 1), Bytes{static_cast<std::uint64_t>(drawn_between(random, 1e3, 3e5))}});
    bytes += 2 * static_cast<double>(count(exchanges.back().size));
  }
  const auto iterations = 3 + random.below(30);
  const double burst = bytes / 1e8 * drawn_between(random, 0.1, 10);
  const double unequal_ranks = random.one_in(3) ? 0 : drawn_between(random, 0.01, 0.2);
  const double unequal_bursts = random.one_in(3) ? 0 : drawn_between(random, 0.01, 0.2);
  const auto reduces_every = 1 + random.below(8);
  CollectiveArgs reduce;
  reduce.kind = CollectiveKind::allreduce;
  reduce.send_bytes = reduce.recv_bytes = 8;
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    const double of_rank = burst * std::abs(1 + unequal_ranks * random.normal());
    for (std::uint32_t i = 1; i <= iterations; ++i) {
      b.compute(Duration::seconds(of_rank * std::abs(1 + unequal_bursts * random.normal())));
      exchange(b, r, exchanges);
      if (i % reduces_every != 0) continue;
      b.begin_call(b.call_name("MPI_Allreduce"));
      b.collective(reduce);
    }
  }
  return {b.build(), std::move(platform)};
}

}  // namespace busline
