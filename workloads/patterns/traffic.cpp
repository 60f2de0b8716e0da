#include "workloads/patterns/traffic.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"

namespace busline {
namespace {

std::vector<std::uint32_t> shuffled(std::uint32_t first, std::uint32_t count, Random& random) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), first);
  shuffle(all, random);
  return all;
}

// The target of each rank; its own number: none.
std::vector<std::uint32_t> fixed_targets(const Traffic& t, Random& random) {
  const auto n = t.ranks;
  std::vector<std::uint32_t> targets(n);
  std::iota(targets.begin(), targets.end(), 0U);
  if (t.pattern == TrafficPattern::permutation) {
    const auto ring = shuffled(0, n, random);
    for (std::uint32_t i = 0; i < n; ++i) targets[ring[i]] = ring[(i + 1) % n];
  } else if (t.pattern == TrafficPattern::shift) {
    const auto distance = 1 + random.below(n - 1);
    for (auto& target : targets) target = (target + distance) % n;
  } else {
    const auto others = shuffled((n + 1) / 2, n / 2, random);
    for (std::uint32_t i = 0; i < n / 2; ++i) {
      targets[i] = others[i];
      targets[others[i]] = i;
    }
  }
  return targets;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> traffic_targets(const Traffic& t) {
  SIM_ASSERT(t.ranks > 1);
  const auto n = t.ranks;
  Random random(t.seed);
  std::vector<std::vector<std::uint32_t>> all(n);
  if (t.pattern == TrafficPattern::random) {
    for (std::uint32_t rank = 0; rank < n; ++rank)
      for (std::uint32_t i = 0; i < t.messages; ++i)
        all[rank].push_back((rank + 1 + random.below(n - 1)) % n);
  } else if (t.pattern == TrafficPattern::alltoall) {
    const auto messages = std::min(t.messages, n - 1);
    for (std::uint32_t rank = 0; rank < n; ++rank)
      for (std::uint64_t i = 0; i < messages; ++i)
        all[rank].push_back(static_cast<std::uint32_t>((rank + 1 + i * (n - 1) / messages) % n));
  } else {
    const auto targets = fixed_targets(t, random);
    for (std::uint32_t rank = 0; rank < n; ++rank)
      if (targets[rank] != rank) all[rank].assign(t.messages, targets[rank]);
  }
  return all;
}

Program traffic_pattern(const Traffic& traffic) {
  const auto targets = traffic_targets(traffic);
  ProgramBuilder b(traffic.ranks);
  b.reserve(std::uint64_t{3} * traffic.ranks * traffic.messages);
  const auto put = b.call_name("MPI_Put"), flush = b.call_name("MPI_Win_flush");
  for (std::uint32_t rank = 0; rank < traffic.ranks; ++rank) {
    b.begin_strand(rank);
    std::uint32_t message = 0;
    for (const auto target : targets[rank]) {
      b.begin_call(put);
      const auto slot = b.put({.peer = target}, traffic.size);
      b.begin_call(flush);
      b.wait(slot);
      b.mark(message++);
    }
  }
  return b.build();
}

}  // namespace busline
