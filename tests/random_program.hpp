// Random MPI programs for tests: the same seed gives the same Program on every machine. They complete
// whatever the platform, rendezvous or not: there is one order of all steps of all ranks in which each step
// can be done.
#pragma once
#include <cstdint>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// What a random program is made of.
struct RandomProgram {
  std::uint64_t seed = 1;
  std::uint32_t ranks = 4;       ///< at least 1
  std::uint32_t steps = 50;      ///< over all ranks; a step is a burst, a message, a collective, ...
  std::int64_t time_factor = 1;  ///< multiplies every burst
  bool distinct_times = false;  ///< a burst of up to 1 us before each step, so that hardly any two things tie
  bool rendezvous = true;       ///< some sends are synchronous, some buffered
  bool collectives = true;
  bool nonblocking = true;  ///< some collectives are non-blocking
  bool to_oneself = false;  ///< some messages go to their sender
  bool one_sided = false;   ///< some are puts and gets
};

Program random_program(const RandomProgram& recipe);

}  // namespace busline
