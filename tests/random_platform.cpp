#include "tests/random_platform.hpp"

#include "validation/simulated/textbook.hpp"

namespace busline {

using namespace textbook;

namespace {

Links random_links(Random& random) {
  const auto in = 1 + random.below(3);
  switch (random.below(3)) {
    case 0:
      return {};
    case 1:
      return {Links::Kind::half_duplex, in, in};
    default:
      return {Links::Kind::full_duplex, in, 1 + random.below(3)};
  }
}

}  // namespace

void randomise_mpi(Platform& p, Random& random) {
  if (random.one_in(2)) p.mpi.rendezvous_from = Bytes{random.below(200'000)};
  if (random.one_in(2)) p.mpi.handshake = us(random.below(20));
  if (random.one_in(4)) p.mpi.ssend_handshake = us(random.below(20));
  auto& inside = nodes_of(p).intra_node;
  if (random.one_in(4)) inside.rendezvous_from = RendezvousLimit{Bytes{random.below(200'000)}};
  if (random.one_in(8)) inside.rendezvous_from = RendezvousLimit{};
  if (random.one_in(4)) inside.handshake = us(random.below(20));
  if (random.one_in(2)) p.mpi.send_completes = Mpi::SendCompletes::transfer;
  if (random.one_in(3)) {
    p.mpi.progress = Mpi::Progress::in_calls;
    if (random.one_in(2)) p.mpi.handshakes = Mpi::Handshakes::behind_data;
  }
  if (random.one_in(2)) network_of(p).latency_at = Network::LatencyAt::flight;
  if (random.one_in(3)) network_of(p).sharing = Network::Sharing::fair;
  if (random.one_in(4)) network_of(p).sharing = Network::Sharing::streams;
  if (random.one_in(4)) network_of(p).sharing = Network::Sharing::queues;
  if (random.one_in(2)) network_of(p).packet = Bytes{1 + random.below(20'000)};
}

void add_random_machine(Platform& p, Random& random) {
  p.machines.push_back(p.machines.front());
  p.machines[1].name = "other";
  p.wan.latency = ms(1);
  p.wan.bandwidth = Bandwidth::bytes_per_second(1e7);
  if (random.one_in(2)) p.wan.latency_at = Network::LatencyAt::flight;
  if (random.one_in(2)) p.wan.flight = {{Duration{}, ms(2)}, {ms(3), Duration{}}};
}

Platform random_platform(std::uint32_t ranks, std::uint64_t seed) {
  Random random(seed * 7919);
  auto p = machine(1 + random.below(ranks), 1 + random.below(3));
  p.mapping.kind = random.one_in(2) ? Mapping::Kind::fill : Mapping::Kind::round_robin;
  if (random.one_in(3)) p.preset = Preset::dimemas_5_5;
  nodes_of(p).links = random_links(random);
  nodes_of(p).intra_node.links = random_links(random);
  nodes_of(p).intra_node.buses = random.below(3);
  network_of(p).buses = random.below(4);
  if (random.one_in(3)) network_of(p).latency = {};
  randomise_mpi(p, random);
  if (random.one_in(3)) nodes_of(p).self = {us(random.below(4)), Bandwidth::bytes_per_second(3e9)};
  if (random.one_in(4)) add_random_machine(p, random);
  return p;
}

}  // namespace busline
