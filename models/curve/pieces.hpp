// The upper hull of many lines, from a function that tells the highest one at a point.
#pragma once
#include <functional>
#include <vector>

#include "models/curve/line.hpp"

namespace busline {

/// From `from` in [0, 1] to where the next piece begins, the curve is `line`.
struct Piece {
  double from = 0;
  Line line;
};

/// Which way to look where two lines are highest.
enum class Side { left, right };

/// All pieces of the highest of the lines on [0, 1], in order. `highest` gives one that is highest at a
/// point; on the side asked for if several are. Asks at most 2 b + 1 times for b breakpoints: each question
/// confirms a breakpoint or finds a line (Eisner and Severance, Mathematical techniques for efficient record
/// segmentation, J. ACM 23(4), 1976). `go_on` is asked between; empty if it said no.
std::vector<Piece> pieces_of(const std::function<Line(double, Side)>& highest,
                             const std::function<bool(std::size_t found)>& go_on = {});

}  // namespace busline
