// The upper envelope of many lines, from a function that returns the highest one at a point.
#pragma once
#include <functional>
#include <vector>

#include "models/curve/line.hpp"

namespace busline {

/// From `from` in [0, 1] to the start of the next piece, the curve is `line`.
struct Piece {
  double from = 0;
  Line line;
};

/// The side to use where two lines are highest.
enum class Side { left, right };

/// All pieces of the highest of the lines on [0, 1], in order. `highest` returns a line that is highest at a
/// point; if several are, the highest on the given side. Calls it at most 2 b + 1 times for b breakpoints:
/// each call confirms a breakpoint or finds a line (Eisner and Severance, Mathematical techniques for
/// efficient record segmentation, J. ACM 23(4), 1976). `go_on` is called in between; the result is empty if
/// it returned false.
std::vector<Piece> pieces_of(const std::function<Line(double, Side)>& highest,
                             const std::function<bool(std::size_t found)>& go_on = {});

}  // namespace busline
