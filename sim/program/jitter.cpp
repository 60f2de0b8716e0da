#include "sim/program/jitter.hpp"

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"

namespace busline {

Program with_jitter(const Program& program, double share, std::uint64_t seed) {
  SIM_ASSERT(share >= 0 && share <= 0.1);
  Random random(seed);
  return with_burst_factors(program,
                            [&](std::uint32_t, const Operation&) { return 1 + share * random.normal(); });
}

}  // namespace busline
