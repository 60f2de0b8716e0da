// Numbers of rounds, for phases in several files.
#pragma once
#include <bit>
#include <cstdint>

#include "sim/algorithms/schedule.hpp"

namespace busline::phases {

/// All at once; nothing for a rank alone.
inline std::uint32_t one_round(const Site& s) {
  return s.ranks > 1 ? 1 : 0;
}

/// ceil(log2 P): the depth of a binomial tree, or distances 1, 2, 4, ...
inline std::uint32_t log2_rounds(const Site& s) {
  return s.ranks <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(s.ranks - 1));
}

}  // namespace busline::phases
