// Noise drawn from its distributions (Platform::noise): factors, and Programs whose bursts have them.
#pragma once
#include <cstdint>

#include "platforms/description/platform.hpp"
#include "sim/base/random.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

/// A sequence of factors, the same for the same seed.
class FactorDraws {
 public:
  /// `spread` must outlive it.
  FactorDraws(const Spread& spread, std::uint64_t seed) : spread_(spread), random_(seed) {}

  double next();
  /// A time multiplied by the next factor; 0 draws none. At most a quarter of the clock's range, as costs
  /// are.
  std::int64_t times_next(std::int64_t ps);

 private:
  const Spread& spread_;
  Random random_;
};

/// Multiplies the time of each burst by a factor of its node, one of its rank and one of its own. File access
/// (Operation::elapsed) stays. The noise of nodes does not depend on where ranks are placed, nor does that of
/// one kind depend on another. The same seed gives the same Program. Copies the operations, unless there is
/// no such noise.
Program with_noise(const Program& program, const Machine& machine, const Noise& noise, std::uint64_t seed);

}  // namespace busline
