// A solver's communication pattern: each rank exchanges the faces of its block with its neighbours on a
// periodic grid, computes, and joins an Allreduce, repeatedly. `busline bench` replays it.
#pragma once
#include <array>
#include <cstdint>

#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// What each rank does in an iteration: an Irecv from and an Isend to every neighbour, a burst that differs
/// by rank and iteration, a wait for every Irecv, the Allreduce, and a fixed burst. One more fixed burst
/// precedes the first iteration.
struct HaloAllreduce {
  std::uint32_t ranks = 64;  ///< at least 1
  std::uint32_t iterations = 10;
  std::uint32_t dimensions = 2;  ///< 1 to 3; the grid is the squarest with that many factors (grid_of)
  Bytes face{8192};
  bool allreduce = true;
  Bytes allreduce_size{8};
  Duration first_burst = Duration::picoseconds(100'000'000);
  Duration least_burst = Duration::picoseconds(200'000'000);
  Duration burst_step =
      Duration::picoseconds(1'000);     ///< a burst is the least plus 0 to burst_steps - 1 of these
  std::uint32_t burst_steps = 100'000;  ///< at least 1
  Duration last_burst = Duration::picoseconds(10'000'000);
  std::uint32_t seed = 0;  ///< of the bursts' lengths
};

/// The Program of that pattern; the same for the same values. Dimensions in which the grid is one rank wide
/// have no neighbours.
Program halo_allreduce(const HaloAllreduce& pattern);

/// Three factors of `ranks`, descending; those beyond `dimensions` are 1, the others as equal as possible:
/// 128 in 2 dimensions gives 16, 8, 1.
std::array<std::uint32_t, 3> grid_of(std::uint32_t ranks, std::uint32_t dimensions);

}  // namespace busline
