// Programs that compute and communicate in turn: the basic patterns of network studies.
#pragma once
#include <cstdint>

#include "sim/base/units.hpp"
#include "sim/program/program.hpp"
#include "workloads/patterns/bursts.hpp"

namespace busline {

/// Parameters common to all of them.
struct Iterative {
  std::uint32_t ranks = 64;  ///< at least 1
  std::uint32_t iterations = 10;
  Bytes size{8192};  ///< of a message
  Bursts bursts;
};

/// A burst, then every rank sends a message to every other: MPI_Alltoall, or its messages if `by_messages`
/// (each rank begins with the next one).
Program alltoall_pattern(const Iterative& what, bool by_messages);
/// A burst, then each rank sends to the next and receives from the one before, around a ring.
Program ring_pattern(const Iterative& what);
/// A sweep over a grid as square as the ranks allow (grid_of): a rank waits for its left and its upper
/// neighbour, computes, and sends to the right and downwards; each iteration is a sweep from the first
/// corner.
Program wavefront_pattern(const Iterative& what);
/// Rank 0 hands out `pieces` of `size` bytes to whichever rank asks; a worker computes a burst for each.
Program master_worker_pattern(const Iterative& what, std::uint32_t pieces);

}  // namespace busline
