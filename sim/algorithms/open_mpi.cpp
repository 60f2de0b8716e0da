// The choices of Open MPI 4.1 and 5.0 (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, equal
// in 4.1.4, 4.1.6, 5.0.0 and 5.0.8), for operations that commute. Segmented forms send whole messages there:
// the segment size is 0. The I-forms are those of the component coll/libnbc (nbc_i*.c in 4.1.4).
#include <algorithm>
#include <bit>
#include <limits>

#include "sim/algorithms/libraries.hpp"

namespace busline::libraries {
namespace {

using enum CollectiveKind;
using enum Algorithm;

constexpr std::uint32_t kAnyNumber = std::numeric_limits<std::uint32_t>::max();

struct Step {
  std::uint64_t from = 0;  // bytes
  Algorithm algorithm{};
};

/// For fewer ranks than `below`, and at least as many as the row before has.
struct Row {
  CollectiveKind kind;
  std::uint32_t below;
  std::array<Step, 10> steps;  // ascending; those after the last begin at 0
};

constexpr Row kRows[] = {
    Row{barrier, 4, {{{0, recursive_doubling}}}},
    Row{barrier, 8, {{{0, linear}}}},
    Row{barrier, 64, {{{0, recursive_doubling}}}},
    Row{barrier, 256, {{{0, bruck}}}},
    Row{barrier, 512, {{{0, binomial}}}},
    Row{barrier, 1024, {{{0, bruck}}}},
    Row{barrier, 4096, {{{0, binomial}}}},
    Row{barrier, kAnyNumber, {{{0, bruck}}}},
    Row{bcast,
        4,
        {{{0, chain},
          {32, binary},
          {256, chain},
          {512, knomial},
          {1 * kKiB, linear},
          {32 * kKiB, binary},
          {128 * kKiB, chain},
          {256 * kKiB, linear},
          {512 * kKiB, binomial},
          {1 * kMiB, binary}}}},
    Row{bcast,
        8,
        {{{0, binary},
          {64, binomial},
          {128, binary},
          {2 * kKiB, binomial},
          {8 * kKiB, linear},
          {1 * kMiB, chain}}}},
    Row{bcast,
        16,
        {{{0, knomial},
          {8, binary},
          {64, knomial},
          {4 * kKiB, binary},
          {16 * kKiB, binomial},
          {32 * kKiB, linear}}}},
    Row{bcast, 32, {{{0, knomial}, {4 * kKiB, binomial}, {1 * kMiB, scatter_doubling}}}},
    Row{bcast, 64, {{{0, binomial}, {2 * kKiB, knomial}}}},
    Row{bcast, 128, {{{0, knomial}}}},
    Row{bcast,
        256,
        {{{0, binomial}, {2, binary}, {16 * kKiB, linear}, {32 * kKiB, binary}, {64 * kKiB, knomial}}}},
    Row{bcast, 1024, {{{0, knomial}, {16 * kKiB, binary}, {32 * kKiB, knomial}}}},
    Row{bcast, 2048, {{{0, knomial}, {512 * kKiB, scatter_doubling}}}},
    Row{bcast, 4096, {{{0, knomial}, {256 * kKiB, scatter_doubling}}}},
    Row{bcast,
        kAnyNumber,
        {{{0, knomial}, {8 * kKiB, binary}, {16 * kKiB, knomial}, {256 * kKiB, scatter_doubling}}}},
    Row{gather,
        4,
        {{{0, linear_sync},
          {2, linear},
          {4, binomial},
          {32 * kKiB, linear},
          {64 * kKiB, binomial},
          {128 * kKiB, linear_sync}}}},
    Row{gather,
        8,
        {{{0, binomial},
          {1 * kKiB, linear},
          {8 * kKiB, binomial},
          {32 * kKiB, linear},
          {256 * kKiB, linear_sync}}}},
    Row{gather, 256, {{{0, binomial}}}},
    Row{gather, 512, {{{0, binomial}, {2 * kKiB, linear}, {8 * kKiB, binomial}}}},
    Row{gather, kAnyNumber, {{{0, binomial}}}},
    Row{scatter, 4, {{{0, linear}}}},
    Row{scatter, 8, {{{0, binomial}, {2 * kKiB, linear}, {4 * kKiB, binomial}, {8 * kKiB, linear}}}},
    Row{scatter, 32, {{{0, binomial}, {16 * kKiB, linear}}}},
    Row{scatter, 64, {{{0, binomial}, {512, linear}, {8 * kKiB, binomial}, {16 * kKiB, linear}}}},
    Row{scatter, kAnyNumber, {{{0, binomial}, {512, linear}}}},
    Row{allgather, 32, {{{0, recursive_doubling}}}},
    Row{allgather, 64, {{{0, recursive_doubling}, {1 * kKiB, neighbor_exchange}, {64 * kKiB, ring}}}},
    Row{allgather, 128, {{{0, recursive_doubling}, {512, neighbor_exchange}, {64 * kKiB, ring}}}},
    Row{allgather,
        256,
        {{{0, recursive_doubling},
          {512, neighbor_exchange},
          {128 * kKiB, ring},
          {512 * kKiB, neighbor_exchange},
          {1 * kMiB, ring}}}},
    Row{allgather,
        512,
        {{{0, recursive_doubling},
          {32, bruck},
          {128, recursive_doubling},
          {1 * kKiB, neighbor_exchange},
          {128 * kKiB, ring},
          {512 * kKiB, neighbor_exchange},
          {1 * kMiB, ring}}}},
    Row{allgather,
        1024,
        {{{0, recursive_doubling}, {64, bruck}, {256, recursive_doubling}, {2 * kKiB, neighbor_exchange}}}},
    Row{allgather,
        2048,
        {{{0, recursive_doubling},
          {4, bruck},
          {8, recursive_doubling},
          {16, bruck},
          {32, recursive_doubling},
          {256, bruck},
          {512, recursive_doubling},
          {4 * kKiB, neighbor_exchange}}}},
    Row{allgather,
        4096,
        {{{0, bruck},
          {32, recursive_doubling},
          {128, bruck},
          {512, recursive_doubling},
          {4 * kKiB, neighbor_exchange}}}},
    Row{allgather,
        kAnyNumber,
        {{{0, recursive_doubling},
          {2, bruck},
          {8, recursive_doubling},
          {16, bruck},
          {512, recursive_doubling},
          {4 * kKiB, neighbor_exchange}}}},
    Row{allgatherv,
        3,
        {{{0, ring}, {2 * kKiB, recursive_doubling}, {4 * kKiB, ring}, {8 * kKiB, recursive_doubling}}}},
    Row{allgatherv,
        8,
        {{{0, gather_bcast},
          {256, neighbor_exchange},
          {4 * kKiB, ring},
          {8 * kKiB, neighbor_exchange},
          {16 * kKiB, bruck},
          {256 * kKiB, neighbor_exchange}}}},
    Row{allgatherv, 16, {{{0, gather_bcast}, {1 * kKiB, bruck}}}},
    Row{allgatherv, 32, {{{0, gather_bcast}, {128, bruck}, {256 * kKiB, ring}}}},
    Row{allgatherv, 64, {{{0, gather_bcast}, {256, bruck}, {8 * kKiB, ring}}}},
    Row{allgatherv, 128, {{{0, gather_bcast}, {256, bruck}, {4 * kKiB, ring}}}},
    Row{allgatherv, 256, {{{0, bruck}, {1 * kKiB, neighbor_exchange}, {64 * kKiB, ring}}}},
    Row{allgatherv, 512, {{{0, bruck}, {1 * kKiB, ring}}}},
    Row{allgatherv,
        1024,
        {{{0, bruck},
          {512, gather_bcast},
          {1 * kKiB, bruck},
          {4 * kKiB, neighbor_exchange},
          {1 * kMiB, ring}}}},
    Row{allgatherv, kAnyNumber, {{{0, bruck}, {4 * kKiB, neighbor_exchange}}}},
    Row{alltoall, 3, {{{0, pairwise}}}},
    Row{alltoall, 8, {{{0, linear}, {512 * kKiB, pairwise}, {1 * kMiB, linear}}}},
    Row{alltoall, 16, {{{0, linear}}}},
    Row{alltoall, 32, {{{0, linear}, {4, bruck}, {512, linear}}}},
    Row{alltoall, 64, {{{0, bruck}, {512, linear}}}},
    Row{alltoall, 256, {{{0, bruck}, {1 * kKiB, linear}, {256 * kKiB, pairwise}}}},
    Row{alltoall, 512, {{{0, bruck}, {1 * kKiB, linear}, {32 * kKiB, pairwise}}}},
    Row{alltoall, 1024, {{{0, bruck}, {512, linear}, {256 * kKiB, pairwise}}}},
    Row{alltoall, 2048, {{{0, bruck}, {512, linear}}}},
    Row{alltoall, 4096, {{{0, bruck}, {1 * kKiB, linear}}}},
    Row{alltoall, kAnyNumber, {{{0, bruck}, {2 * kKiB, linear}}}},
    Row{alltoallv, 4, {{{0, pairwise}}}},
    Row{alltoallv, 64, {{{0, linear}}}},
    Row{alltoallv, 128, {{{0, pairwise}}}},
    Row{alltoallv, 256, {{{0, linear}}}},
    Row{alltoallv, 1024, {{{0, pairwise}}}},
    Row{alltoallv, kAnyNumber, {{{0, linear}}}},
    Row{reduce, 4, {{{0, rabenseifner}, {8, binary}, {16, chain}, {32, linear}, {256 * kKiB, chain}}}},
    Row{reduce,
        8,
        {{{0, binary},
          {4 * kKiB, chain},
          {64 * kKiB, binomial},
          {256 * kKiB, linear},
          {512 * kKiB, binomial},
          {1 * kMiB, linear}}}},
    Row{reduce, 16, {{{0, binary}, {8 * kKiB, binomial}}}},
    Row{reduce, 32, {{{0, binary}, {4 * kKiB, binomial}}}},
    Row{reduce, 256, {{{0, binomial}}}},
    Row{reduce, 512, {{{0, binomial}, {8 * kKiB, binary}, {16 * kKiB, binomial}}}},
    Row{reduce, 2048, {{{0, binomial}}}},
    Row{reduce,
        4096,
        {{{0, binomial}, {512, binary}, {1 * kKiB, binomial}, {8 * kKiB, binary}, {16 * kKiB, binomial}}}},
    Row{reduce,
        kAnyNumber,
        {{{0, binomial},
          {16, binary},
          {32, binomial},
          {1 * kKiB, binary},
          {2 * kKiB, binomial},
          {8 * kKiB, binary},
          {16 * kKiB, binomial}}}},
    Row{allreduce,
        4,
        {{{0, ring},
          {8, recursive_doubling},
          {4 * kKiB, ring},
          {8 * kKiB, recursive_doubling},
          {16 * kKiB, ring},
          {256 * kKiB, rabenseifner}}}},
    Row{allreduce, 8, {{{0, ring}, {16, recursive_doubling}, {8 * kKiB, rabenseifner}}}},
    Row{allreduce, 16, {{{0, recursive_doubling}, {8 * kKiB, rabenseifner}}}},
    Row{allreduce, 32, {{{0, ring}, {64, recursive_doubling}, {4 * kKiB, rabenseifner}}}},
    Row{allreduce, 64, {{{0, ring}, {128, rabenseifner}}}},
    Row{allreduce, 128, {{{0, recursive_doubling}, {256 * kKiB, rabenseifner}}}},
    Row{allreduce, 256, {{{0, binomial}, {128 * kKiB, recursive_doubling}, {256 * kKiB, rabenseifner}}}},
    Row{allreduce, 512, {{{0, binomial}, {4 * kKiB, rabenseifner}}}},
    Row{allreduce, 2048, {{{0, binomial}, {2 * kKiB, recursive_doubling}, {16 * kKiB, rabenseifner}}}},
    Row{allreduce,
        4096,
        {{{0, binomial}, {2 * kKiB, ring}, {4 * kKiB, recursive_doubling}, {16 * kKiB, rabenseifner}}}},
    Row{allreduce,
        kAnyNumber,
        {{{0, binomial}, {2 * kKiB, ring}, {16 * kKiB, recursive_doubling}, {32 * kKiB, rabenseifner}}}},
    Row{reduce_scatter, 4, {{{0, ring}, {64 * kKiB, recursive_halving}, {128 * kKiB, ring}}}},
    Row{reduce_scatter, 8, {{{0, binomial}, {8, recursive_halving}, {256 * kKiB, ring}}}},
    Row{reduce_scatter, 32, {{{0, recursive_halving}, {256 * kKiB, ring}}}},
    Row{reduce_scatter, 64, {{{0, binomial}, {64, recursive_halving}, {512 * kKiB, ring}}}},
    Row{reduce_scatter, 512, {{{0, binomial}, {256, recursive_halving}}}},
    Row{reduce_scatter, 4096, {{{0, binomial}, {512, recursive_halving}}}},
    Row{reduce_scatter, kAnyNumber, {{{0, binomial}, {1 * kKiB, recursive_halving}}}},
    Row{reduce_scatter_block, 4, {{{0, recursive_halving}, {128 * kKiB, linear}}}},
    Row{reduce_scatter_block, 8, {{{0, recursive_halving}, {1 * kMiB, linear}}}},
    Row{reduce_scatter_block,
        16,
        {{{0, linear}, {4, recursive_halving}, {512 * kKiB, linear}, {4 * kMiB, recursive_halving}}}},
    Row{reduce_scatter_block,
        32,
        {{{0, linear}, {32, recursive_halving}, {512 * kKiB, linear}, {2 * kMiB, recursive_halving}}}},
    Row{reduce_scatter_block,
        kAnyNumber,
        {{{0, recursive_halving},
          {4, linear},
          {16, recursive_halving},
          {64 * kKiB, linear},
          {256 * kKiB, recursive_halving}}}},
};

/// What an operation is decided like, and the bytes that count for it.
CollectiveCall decided(CollectiveCall call) {
  if (call.kind == reduce_scatter) call.bytes *= call.ranks;  // the whole vector
  if (call.kind >= comm_dup) call.kind = barrier;
  return call;
}

Algorithm by_table(const CollectiveCall& call) {
  const auto* row = std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& r) { return r.kind == call.kind && call.ranks < r.below; });
  if (row == std::end(kRows)) return linear;  // Gatherv, Scatterv, Alltoallw, Scan, Exscan
  auto chosen = row->steps.front().algorithm;
  for (const auto& step : row->steps)
    if (step.from > 0 && step.from <= call.bytes) chosen = step.algorithm;
  return chosen;
}

/// Forms that cut the vector need an element for each rank, or for each of the largest power of two.
Algorithm with_enough_elements(Algorithm chosen, const CollectiveCall& call) {
  const auto elements = std::max<std::uint64_t>(1, call.bytes / std::max<std::uint64_t>(1, call.element));
  if (call.kind == allreduce && chosen == ring && elements < call.ranks) return recursive_doubling;
  if (chosen == rabenseifner && elements < std::bit_floor(call.ranks)) return linear;
  if (chosen == scatter_doubling && call.bytes < call.ranks) return linear;
  return chosen;
}

bool makes_communicator(CollectiveKind kind) {
  return kind >= comm_dup && kind <= graph_create;
}

}  // namespace

Algorithm open_mpi_nonblocking(const CollectiveCall& c) {
  const bool can_be_cut = c.bytes / std::max<std::uint64_t>(1, c.element) >= std::bit_floor(c.ranks);
  switch (c.kind) {
    case bcast:
      if (c.ranks <= 4) return linear;
      return c.bytes < 64 * kKiB ? binomial_at_once : c.bytes < 512 * kKiB ? pipeline_8k : pipeline_32k;
    case allreduce:
      return c.ranks < 4 || c.bytes < 64 * kKiB ? binomial_at_once : can_be_cut ? rabenseifner : ring;
    case reduce:
      if (c.ranks > 2 && can_be_cut) return rabenseifner;
      return c.ranks > 4 || c.bytes < 64 * kKiB ? binomial : pipeline_8k;
    case allgather:
    case allgatherv:
    case gather:
    case gatherv:
      return direct;
    case reduce_scatter:
    case reduce_scatter_block:
      return binomial;
    case alltoall:
    case alltoallv:
    case alltoallw:
    case scatter:
    case scatterv:
    case scan:
    case exscan:
      return linear;
    default:
      return makes_communicator(c.kind) ? context_id : bruck;  // an Ibarrier
  }
}

Algorithm open_mpi(const CollectiveCall& call) {
  if (makes_communicator(call.kind)) return context_id;
  return with_enough_elements(by_table(decided(call)), call);
}

}  // namespace busline::libraries
