// The computations of generated patterns: equal, or uniformly distributed around a mean.
#pragma once
#include <cstdint>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace busline {

struct Bursts {
  Duration mean = Duration::picoseconds(1'000'000'000);
  double imbalance = 0;  ///< 0 to 1: bursts are from mean (1 - imbalance) to mean (1 + imbalance)
  std::uint64_t seed = 1;

  /// Equal for equal rank, iteration and seed.
  Duration of(std::uint32_t rank, std::uint32_t iteration) const {
    if (imbalance == 0) return mean;
    Random random(Random(seed ^ (std::uint64_t{rank} << 32U)).next() ^ iteration);
    const double share = static_cast<double>(random.next() >> 11U) * 0x1p-52 - 1;
    return Duration::from_double(static_cast<double>(mean.count()) * (1 + imbalance * share));
  }
};

}  // namespace busline
