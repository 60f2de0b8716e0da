#include "models/curve/max_plus_graph.hpp"

namespace busline {
namespace {

/// Whether `a` is at least `b` everywhere between 0 and 1.
bool covers(const Line& a, const Line& b) {
  return a.start >= b.start && a.start + a.rise >= b.start + b.rise;
}

}  // namespace

MaxPlusGraph::Point MaxPlusGraph::later(const Point& a, const Point& b) {
  if (a.node == b.node) {
    if (covers(a.after, b.after)) return a;
    if (covers(b.after, a.after)) return b;
  }
  joins_.push_back({a.node, b.node, a.after, b.after});
  return {static_cast<std::uint32_t>(joins_.size()), {}};
}

std::size_t MaxPlusGraph::bytes() const {
  return joins_.capacity() * sizeof(Join) + lines_.capacity() * sizeof(Line);
}

Line MaxPlusGraph::evaluate(const Point& end, double t, Tie tie) const {
  lines_.resize(joins_.size() + 1);
  lines_[kStart] = {};
  auto* const lines = lines_.data();
  auto* next = lines + 1;
  const bool steep = tie == Tie::steep;
  for (const auto& join : joins_) {
    const auto a = lines[join.first] + join.after_first;
    const auto b = lines[join.second] + join.after_second;
    const auto lead = excess(a, b, t);
    // The later one is unpredictable, so a mask selects it, not a branch.
    const bool first = (lead > 0) | ((lead == 0) & ((a.rise > b.rise) == steep));
    const auto mask = -static_cast<std::int64_t>(first);
    *next++ = {b.start ^ ((a.start ^ b.start) & mask), b.rise ^ ((a.rise ^ b.rise) & mask)};
  }
  return lines_[end.node] + end.after;
}

}  // namespace busline
