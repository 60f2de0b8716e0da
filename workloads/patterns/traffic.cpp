#include "workloads/patterns/traffic.hpp"

#include <algorithm>
#include <cmath>
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
  } else if (t.pattern == TrafficPattern::incast) {
    const auto target = random.below(n);
    for (std::uint32_t rank = 0; rank < n; ++rank)
      if (rank != target) all[rank].assign(t.messages, target);
  } else {
    const auto targets = fixed_targets(t, random);
    for (std::uint32_t rank = 0; rank < n; ++rank)
      if (targets[rank] != rank) all[rank].assign(t.messages, targets[rank]);
  }
  return all;
}

namespace {

/// The time from each message of a rank to its next one, so that the link has the load.
class Pauses {
 public:
  Pauses(const Traffic& t, std::uint32_t rank)
      : random_(Random(t.seed).next() + rank), burst_(t.burst), load_(t.load) {
    const double senders = t.pattern == TrafficPattern::incast ? t.ranks - 1 : 1;
    length_ = static_cast<double>((t.size / t.rate).count()) * senders;
  }
  Duration next() {
    if (burst_ == 1) return Duration::from_double(length_ / load_);
    if (left_ == 0) left_ = 1 + random_.below(2 * burst_ - 1);
    const auto idle = --left_ > 0 ? 0 : -std::log(random_.unit()) * length_ * burst_ * (1 / load_ - 1);
    return Duration::from_double(length_ + idle);
  }

 private:
  Random random_;
  std::uint32_t burst_, left_ = 0;
  double load_, length_ = 0;  // of a message, ps
};

}  // namespace

Program traffic_pattern(const Traffic& traffic) {
  if (traffic.load <= 0) return ProgramBuilder(traffic.ranks).build();
  const bool paced = traffic.load < 1;
  const auto targets = traffic_targets(traffic);
  ProgramBuilder b(traffic.ranks);
  b.reserve(std::uint64_t{3} * traffic.ranks * traffic.messages);
  const auto put = b.call_name("MPI_Put"), flush = b.call_name("MPI_Win_flush");
  for (std::uint32_t rank = 0; rank < traffic.ranks; ++rank) {
    b.begin_strand(rank);
    std::uint32_t message = 0;
    Pauses pauses(traffic, rank);
    for (const auto target : targets[rank]) {
      b.begin_call(put);
      const auto slot = b.put({.peer = target}, traffic.size);
      if (paced) b.compute(pauses.next());
      b.begin_call(flush);
      b.wait(slot);
      b.mark(message++);
    }
  }
  return b.build();
}

}  // namespace busline
