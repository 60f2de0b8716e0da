// Random machines for tests, to be run with random programs: the same seed gives the same Platform.
#pragma once
#include <cstdint>

#include "platforms/description/platform.hpp"
#include "sim/base/random.hpp"

namespace busline {

/// Everything may be scarce; ranks may share CPUs, and there may be two machines. At least `ranks` fit.
Platform random_platform(std::uint32_t ranks, std::uint64_t seed);

/// How MPI behaves, and how messages share links.
void randomise_mpi(Platform& p, Random& random);
/// A second machine like the first one, and a WAN between them.
void add_random_machine(Platform& p, Random& random);

}  // namespace busline
