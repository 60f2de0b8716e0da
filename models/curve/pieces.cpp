#include "models/curve/pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace busline {
namespace {

/// The position where `left` and `right`, the steeper one, are equal.
double meeting(const Line& left, const Line& right) {
  return std::clamp(
      static_cast<double>(left.start - right.start) / static_cast<double>(right.rise - left.rise), 0.0, 1.0);
}

}  // namespace

std::vector<Piece> pieces_of(const std::function<Line(double, Side)>& highest,
                             const std::function<bool(std::size_t)>& go_on) {
  std::vector<Piece> pieces{{0, highest(0, Side::right)}};
  // Lines to the right of the confirmed part, the nearest one last.
  std::vector<Line> ahead{highest(1, Side::left)};
  while (!ahead.empty()) {
    if (go_on && !go_on(pieces.size())) return {};
    const auto left = pieces.back().line, right = ahead.back();
    if (right.rise <= left.rise) {  // the same line, or one that only meets it at the border
      ahead.pop_back();
      continue;
    }
    const double t = meeting(left, right);
    const auto between = highest(t, Side::right);
    // Above both only if it is a new line. The tolerance of a fraction of a picosecond is the error of a
    // double.
    constexpr double kNothing = 1e-3;
    const bool above = between != left && between != right && excess(between, left, t) > kNothing &&
                       between.rise > left.rise && between.rise < right.rise;
    if (above) {
      ahead.push_back(between);
      continue;
    }
    pieces.push_back({t, right});
    ahead.pop_back();
  }
  return pieces;
}

}  // namespace busline
