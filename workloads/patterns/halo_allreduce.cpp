#include "workloads/patterns/halo_allreduce.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/assert.hpp"
#include "sim/program/program_builder.hpp"

namespace busline {
namespace {

struct Neighbour {
  std::uint32_t rank = 0;
  std::int32_t sent = 0, received = 0;  // tags: the direction in which a message travels
};

// Both directions in each dimension that is wider than one rank.
std::vector<Neighbour> neighbours_of(std::uint32_t rank, const std::array<std::uint32_t, 3>& grid) {
  std::vector<Neighbour> all;
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < grid.size(); ++d) {
    const auto width = grid[d];
    if (width > 1) {
      const auto at = rank / stride % width;
      const auto base = rank - at * stride;
      const auto up = static_cast<std::int32_t>(2 * d), down = up + 1;
      all.push_back({base + (at + 1) % width * stride, up, down});
      all.push_back({base + (at + width - 1) % width * stride, down, up});
    }
    stride *= width;
  }
  return all;
}

// The largest divisor of n that is not above its `root`-th root.
std::uint32_t divisor_near_root(std::uint32_t n, std::uint32_t root) {
  std::uint32_t best = 1;
  for (std::uint64_t d = 1; (root == 2 ? d * d : d * d * d) <= n; ++d)
    if (n % d == 0) best = static_cast<std::uint32_t>(d);
  return best;
}

}  // namespace

std::array<std::uint32_t, 3> grid_of(std::uint32_t ranks, std::uint32_t dimensions) {
  const auto depth = dimensions >= 3 ? divisor_near_root(ranks, 3) : 1;
  const auto height = dimensions >= 2 ? divisor_near_root(ranks / depth, 2) : 1;
  std::array grid{ranks / depth / height, height, depth};
  std::sort(grid.rbegin(), grid.rend());
  return grid;
}

Program halo_allreduce(const HaloAllreduce& pattern) {
  SIM_ASSERT(pattern.ranks > 0 && pattern.burst_steps > 0);
  ProgramBuilder b(pattern.ranks);
  const auto irecv = b.call_name("MPI_Irecv"), isend = b.call_name("MPI_Isend"),
             wait = b.call_name("MPI_Wait"), allreduce = b.call_name("MPI_Allreduce");
  const auto grid = grid_of(pattern.ranks, pattern.dimensions);
  std::vector<std::uint32_t> slots;
  for (std::uint32_t rank = 0; rank < pattern.ranks; ++rank) {
    b.begin_strand(rank);
    b.compute(pattern.first_burst);
    const auto neighbours = neighbours_of(rank, grid);
    CollectiveArgs args;
    args.kind = CollectiveKind::allreduce;
    args.is_root = rank == 0;
    args.send_bytes = args.recv_bytes = count(pattern.allreduce_size);
    // Knuth's multiplicative hash spreads the ranks; the generator is the one of Numerical Recipes.
    auto random = (rank + pattern.seed) * 2654435761U + 12345U;
    for (std::uint32_t i = 0; i < pattern.iterations; ++i) {
      random = random * 1664525U + 1013904223U;
      slots.clear();
      for (const auto& n : neighbours) {
        b.begin_call(irecv);
        slots.push_back(b.irecv({n.rank, n.received, 0}, pattern.face));
      }
      for (const auto& n : neighbours) {
        b.begin_call(isend);
        b.isend_and_forget({n.rank, n.sent, 0}, pattern.face);
      }
      b.compute(pattern.least_burst + pattern.burst_step * (random % pattern.burst_steps));
      for (const auto slot : slots) {
        b.begin_call(wait);
        b.wait(slot);
      }
      if (pattern.allreduce) {
        b.begin_call(allreduce);
        b.collective(args);
      }
      b.compute(pattern.last_burst);
    }
    if (rank == 0) b.reserve(b.position() * pattern.ranks);  // all ranks do the same number
  }
  return b.build();
}

}  // namespace busline
