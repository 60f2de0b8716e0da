// A Program whose bursts take a little longer or less, as they do from run to run on a real machine.
#pragma once
#include <cstdint>

#include "sim/program/program.hpp"

namespace busline {

/// Multiplies the time of each burst by 1 + share x, where x is drawn from the standard normal distribution
/// for each burst by itself. `share` is 0 to 0.1. The same seed gives the same Program. Copies the operations
/// and shares the other tables.
Program with_jitter(const Program& program, double share, std::uint64_t seed);

}  // namespace busline
