// The Dimemas model once more, slowly: lists that are searched from their begin, one event after the other, a
// rule a function. It is what the replay and models/links_and_buses are compared with, and shares nothing
// with them but the Program and the Platform.
#pragma once
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline::oracle {

struct SlowRun {
  bool complete = false;       ///< false: some rank waits for ever
  std::vector<Duration> ends;  ///< of each rank; of one that waits, when it last did something
};

/// Runs computations and messages with one thread a rank, on one machine of equal nodes, whose links are
/// exclusive and whose sizes have no classes. Undefined for Programs with anything else. Cost: quadratic in
/// all that waits.
SlowRun slow_dimemas(const Program& program, const Platform& platform, const Machine& machine);

}  // namespace busline::oracle
