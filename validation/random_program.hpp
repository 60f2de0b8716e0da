// Random MPI programs for tests: the same seed gives the same Program on every machine. They complete
// whatever the platform, rendezvous or not: there is one order of all steps of all ranks in which each step
// can be done.
#pragma once
#include <cstdint>

#include "sim/program.hpp"
#include "sim/units.hpp"

namespace busline {

/// SplitMix64 (Steele, Lea, Flood 2014): small, and specified to the bit, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 to `bound` - 1; `bound` is not 0. (The last values are rarer by 2^-32 at most.)
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) % bound); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// What a random program is made of.
struct RandomProgram {
  std::uint64_t seed = 1;
  std::uint32_t ranks = 4;       ///< at least 1
  std::uint32_t steps = 50;      ///< over all ranks; a step is a burst, a message, a collective, ...
  std::int64_t time_factor = 1;  ///< multiplies every burst
  bool rendezvous = true;        ///< some sends are synchronous, some buffered
  bool collectives = true;
  bool to_oneself = false;  ///< some messages go to their sender
  bool one_sided = false;   ///< some are puts and gets
};

Program random_program(const RandomProgram& recipe);

}  // namespace busline
