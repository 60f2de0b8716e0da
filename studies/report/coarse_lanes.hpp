// Lanes that a page has room for.
#pragma once
#include <cstddef>
#include <cstdint>

#include "studies/report/figure.hpp"

namespace busline::report {

/// What was left out of a drawing to make it fit.
struct Coarsening {
  std::int64_t step = 0;         ///< picoseconds; each shows what takes most of it. 0: all pieces are there
  std::size_t lanes_in_one = 1;  ///< neighbours that share a lane
  std::size_t arrows_left_out = 0;
};

/// Makes of `lanes` at most `most_lanes` with `most_pieces` together, and no arrows if there are more than
/// `most_arrows` or lanes were put together. For a step and the lanes that are put together the kind is shown
/// that takes most time, the first of equal ones. Cost: linear in the pieces and in `most_pieces`.
Coarsening make_coarse(Lanes& lanes, std::size_t most_lanes, std::size_t most_pieces,
                       std::size_t most_arrows);

}  // namespace busline::report
