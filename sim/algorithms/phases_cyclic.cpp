#include <algorithm>
#include <bit>

#include "sim/algorithms/phases.hpp"
#include "sim/algorithms/rounds.hpp"

namespace busline::phases {
namespace {

std::uint32_t all_but_one(const Site& s) {
  return s.ranks - 1;
}

void ring_allgather(const Site& s, std::uint32_t r, Round& out) {
  out.receives.push_back({s.before(1), {s.before(r + 1), 1}});
  out.sends.push_back({s.after(1), {s.before(r), 1}});
}

// Each block starts after its owner and ends there.
void ring_reduce_scatter(const Site& s, std::uint32_t r, Round& out) {
  out.receives.push_back({s.before(1), {s.before((r + 2) % s.ranks), 1}});
  out.sends.push_back({s.after(1), {s.before(r + 1), 1}});
}

// Block v of the vector is at the rank v positions after the root.
void ring_allgather_vector(const Site& s, std::uint32_t r, Round& out) {
  const auto block = [&](std::uint32_t back) { return (s.relative() + s.ranks - back) % s.ranks; };
  out.receives.push_back({s.before(1), {block(r + 1), 1}});
  out.sends.push_back({s.after(1), {block(r), 1}});
}

std::uint32_t neighbor_rounds(const Site& s) {
  return s.ranks % 2 == 0 ? s.ranks / 2 : s.ranks - 1;
}

// Even ranks meet the rank after them first, odd ones the rank before; a pair of ranks then passes its blocks
// on to the pairs on both sides.
void neighbor_exchange(const Site& s, std::uint32_t r, Round& out) {
  if (s.ranks % 2 != 0) return ring_allgather(s, r, out);
  const bool even = s.position % 2 == 0;
  const auto neighbor = even == (r % 2 == 0) ? s.after(1) : s.before(1);
  if (r == 0) {
    out.receives.push_back({neighbor, {neighbor, 1}});
    out.sends.push_back({neighbor, {s.position, 1}});
    return;
  }
  // The pair of blocks that arrives in a round: in rounds 1, 3, ... from one side, in 2, 4, ... from the
  // other.
  const auto pair_of = [&](std::uint32_t round) {
    const auto pairs = (round + 1) / 2;
    const auto distance = 2 * (even == (round % 2 == 0) ? pairs : s.ranks / 2 - pairs);
    return ((s.position & ~1U) + distance) % s.ranks;
  };
  out.receives.push_back({neighbor, {pair_of(r), 2}});
  out.sends.push_back({neighbor, {r == 1 ? s.position & ~1U : pair_of(r - 1), 2}});
}

std::uint32_t lap_rounds(const Site& s) {
  return s.ranks > 1 ? 4 : 0;
}

// Rank 0 sends first, the others receive first.
void two_laps(const Site& s, std::uint32_t r, Round& out) {
  if ((r % 2 == 0) == (s.position == 0))
    out.sends.push_back({s.after(1), s.all()});
  else
    out.receives.push_back({s.before(1), s.all()});
}

void pairwise_alltoall(const Site& s, std::uint32_t r, Round& out) {
  const auto d = r + 1;
  out.receives.push_back({s.before(d), {d, 1}});
  out.sends.push_back({s.after(d), {d, 1}});
}

void pairwise_reduce_scatter(const Site& s, std::uint32_t r, Round& out) {
  const auto d = r + 1;
  out.receives.push_back({s.before(d), {s.position, 1}});
  out.sends.push_back({s.after(d), {s.after(d), 1}});
}

// Receives from the nearest rank after it first, sends to the nearest before it first, so that receives are
// posted early.
void star_alltoall(const Site& s, std::uint32_t, Round& out) {
  for (std::uint32_t d = 1; d < s.ranks; ++d) {
    out.receives.push_back({s.after(d), {s.ranks - d, 1}});
    out.sends.push_back({s.before(d), {s.ranks - d, 1}});
  }
}

void star_allgather(const Site& s, std::uint32_t, Round& out) {
  for (std::uint32_t d = 1; d < s.ranks; ++d) {
    out.receives.push_back({s.after(d), {s.after(d), 1}});
    out.sends.push_back({s.before(d), {s.position, 1}});
  }
}

void bruck_allgather(const Site& s, std::uint32_t r, Round& out) {
  const auto d = 1U << r;
  const auto count = std::min(d, s.ranks - d);
  out.receives.push_back({s.after(d), {s.after(d), count}});
  out.sends.push_back({s.before(d), {s.position, count}});
}

// Numbers from 1 to ranks - 1 that have the bit.
std::uint32_t with_bit(std::uint32_t ranks, std::uint32_t bit) {
  const auto whole = ranks / (2 * bit) * bit;
  const auto rest = ranks % (2 * bit);
  return whole + (rest > bit ? rest - bit : 0);
}

void bruck_alltoall(const Site& s, std::uint32_t r, Round& out) {
  const auto d = 1U << r;
  const Blocks moved{1, with_bit(s.ranks, d), d};
  out.receives.push_back({s.before(d), moved});
  out.sends.push_back({s.after(d), moved});
}

void dissemination(const Site& s, std::uint32_t r, Round& out) {
  const auto d = 1U << r;
  out.receives.push_back({s.before(d), s.all()});
  out.sends.push_back({s.after(d), s.all()});
}

bool is_power_of_two(std::uint32_t n) {
  return std::has_single_bit(n);
}

void doubling_allgather(const Site& s, std::uint32_t r, Round& out) {
  if (!is_power_of_two(s.ranks)) return bruck_allgather(s, r, out);
  const auto d = 1U << r;
  const auto partner = s.position ^ d;
  out.receives.push_back({partner, {partner & ~(d - 1), d}});
  out.sends.push_back({partner, {s.position & ~(d - 1), d}});
}

void doubling_allgather_vector(const Site& s, std::uint32_t r, Round& out) {
  const auto first_send = out.sends.size(), first_receive = out.receives.size();
  doubling_allgather({s.ranks, s.relative(), 0, s.blocks}, r, out);
  for (auto i = first_send; i < out.sends.size(); ++i) out.sends[i].peer = s.absolute(out.sends[i].peer);
  for (auto i = first_receive; i < out.receives.size(); ++i)
    out.receives[i].peer = s.absolute(out.receives[i].peer);
}

}  // namespace

const SchedulePhase kRingAllgather{all_but_one, ring_allgather};
const SchedulePhase kRingReduceScatter{all_but_one, ring_reduce_scatter};
const SchedulePhase kRingAllgatherVector{all_but_one, ring_allgather_vector};
const SchedulePhase kNeighborExchange{neighbor_rounds, neighbor_exchange};
const SchedulePhase kTwoLaps{lap_rounds, two_laps};
const SchedulePhase kPairwiseAlltoall{all_but_one, pairwise_alltoall};
const SchedulePhase kPairwiseReduceScatter{all_but_one, pairwise_reduce_scatter};
const SchedulePhase kStarAlltoall{one_round, star_alltoall};
const SchedulePhase kStarAllgather{one_round, star_allgather};
const SchedulePhase kBruckAllgather{log2_rounds, bruck_allgather};
const SchedulePhase kBruckAlltoall{log2_rounds, bruck_alltoall};
const SchedulePhase kDissemination{log2_rounds, dissemination};
const SchedulePhase kDoublingAllgather{log2_rounds, doubling_allgather};
const SchedulePhase kDoublingAllgatherVector{log2_rounds, doubling_allgather_vector};

}  // namespace busline::phases
