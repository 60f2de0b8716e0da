#include "measuring/method/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "sim/base/assert.hpp"

namespace busline::measure {
namespace {

tl::unexpected<Error> refuse_refinement(std::string message) {
  return refuse_option({}, std::move(message));
}

// Half a unit is rounded up.
std::uint64_t round_up_half(double v) {
  return static_cast<std::uint64_t>(std::floor(v + 0.5));
}

std::uint64_t to_multiple(std::uint64_t v, std::uint64_t of) {
  return v / of * of + (v % of >= of - of / 2 ? of : 0);
}

Expected<void> check(const ArgumentRange& r) {
  if (r.end < r.start || r.end > kLargestArgument)
    return refuse_refinement(
        fmt::format("the range is {} to {}, expected an end at or after the start and at most {}", r.start,
                    r.end, kLargestArgument));
  if (r.multiple_of < 1 || r.multiple_of > kLargestArgument)
    return refuse_refinement(
        fmt::format("arguments must be multiples of {}, expected 1 to {}", r.multiple_of, kLargestArgument));
  const double least = is_log(r.scale) ? 1 : 0;
  if (!(r.step > least) || !std::isfinite(r.step))
    return refuse_refinement(fmt::format("the step of a {} scale is {}, expected more than {}",
                                         is_log(r.scale) ? "logarithmic" : "linear", r.step, least));
  return {};
}

// As they come, before rounding to multiples.
Expected<std::vector<std::uint64_t>> steps_through(const ArgumentRange& r) {
  std::vector<std::uint64_t> grid;
  const auto end = static_cast<double>(r.end);
  auto start = static_cast<double>(r.start);
  if (is_log(r.scale) && r.start == 0) {
    grid.push_back(0);
    start = 1;
  }
  for (std::size_t k = 0;; ++k) {
    // From the start each time, so that rounding does not pile up.
    const auto i = static_cast<double>(k);
    const double at = is_log(r.scale) ? start * std::pow(r.step, i) : start + i * r.step;
    if (!(at < end)) break;
    if (k == kMostArguments)
      return refuse_refinement(fmt::format("{} to {} in steps of {} gives more than {} arguments", r.start,
                                           r.end, r.step, kMostArguments));
    grid.push_back(round_up_half(at));
  }
  grid.push_back(r.end);
  return grid;
}

// `count` of `grid`, the first and the last among them.
std::vector<std::uint64_t> thinned(const std::vector<std::uint64_t>& grid, std::size_t count) {
  if (grid.size() <= count) return grid;
  if (count == 1) return {grid.front()};
  std::vector<std::uint64_t> kept(count);
  for (std::size_t i = 0; i < count; ++i)
    kept[i] = grid[(2 * i * (grid.size() - 1) + (count - 1)) / (2 * (count - 1))];
  return kept;
}

// What the line through `p` and `q` gives at `m`.
double extrapolated(const CurvePoint& p, const CurvePoint& q, std::uint64_t m) {
  const auto x = [&](std::uint64_t v) { return static_cast<double>(v) - static_cast<double>(p.argument); };
  return p.result + (q.result - p.result) / x(q.argument) * x(m);
}

double relative(double difference, double to) {
  return std::abs(difference) / (to == 0 ? 1 : std::abs(to));
}

}  // namespace

Expected<std::vector<std::uint64_t>> initial_grid(const ArgumentRange& range) {
  if (auto good = check(range); !good) return tl::unexpected(std::move(good.error()));
  auto grid = steps_through(range);
  if (!grid) return grid;
  const auto last = range.end / range.multiple_of * range.multiple_of;
  for (auto& argument : *grid) argument = std::min(to_multiple(argument, range.multiple_of), last);
  grid->erase(std::unique(grid->begin(), grid->end()), grid->end());
  return grid;
}

double segment_key(const std::optional<CurvePoint>& a, const CurvePoint& b, const CurvePoint& c,
                   const std::optional<CurvePoint>& d) {
  const auto mb = static_cast<double>(b.argument), mc = static_cast<double>(c.argument);
  double key = relative(mc - mb, mb);
  if (d) key = std::min(key, relative(extrapolated(c, *d, b.argument) - b.result, b.result));
  if (a) key = std::min(key, relative(extrapolated(*a, b, c.argument) - c.result, c.result));
  return key;
}

Expected<Refinement> Refinement::create(const ArgumentRange& range, const RefinementLimits& limits) {
  auto grid = initial_grid(range);
  if (!grid) return tl::unexpected(std::move(grid.error()));
  if (limits.max_steps < 1)
    return refuse_refinement("at most 0 measurements are allowed, expected 1 or more");
  if (!(limits.precision >= 0))
    return refuse_refinement(fmt::format("the precision is {}, expected 0 or more", limits.precision));
  if (is_dynamic(range.scale)) *grid = thinned(*grid, limits.max_steps);
  return Refinement(range, limits, std::move(*grid));
}

std::optional<std::uint64_t> Refinement::next(Duration elapsed) {
  if (end_) return std::nullopt;
  if (asked_) return asked_;
  if (!is_dynamic(range_.scale) && grid_left() == 0) {
    end_ = End::grid;
  } else if (limits_.time_limit && elapsed > *limits_.time_limit) {
    end_ = End::time_limit;
  } else if (grid_left() > 0) {
    asked_ = grid_[steps_.size()];
  } else if (steps_.size() >= limits_.max_steps) {
    end_ = End::max_steps;
  } else {
    asked_ = split();
  }
  return asked_;
}

void Refinement::add(double result) {
  SIM_ASSERT(asked_ && std::isfinite(result));
  steps_.push_back({{*asked_, result}, asked_within_});
  const auto at = places_.emplace(*asked_, Place{result}).first;
  asked_.reset();
  asked_within_.reset();
  // The keys of its own two segments, and of the two beside them, whose neighbours have changed.
  requeue(at);
  if (const auto after = std::next(at); after != places_.end()) requeue(after);
  for (auto low = at; low != places_.begin() && std::distance(low, at) < 2;) requeue(--low);
}

// The segment that begins here, if there is one, with the key that it has now.
void Refinement::requeue(Places::iterator low) {
  const auto high = std::next(low);
  if (high == places_.end() || low->second.closed) return;
  const auto point = [](Places::iterator at) { return CurvePoint{at->first, at->second.result}; };
  std::optional<CurvePoint> before, after;
  if (low != places_.begin()) before = point(std::prev(low));
  if (std::next(high) != places_.end()) after = point(std::next(high));
  queue_.erase({low->second.key, low->first});
  low->second.key = segment_key(before, point(low), point(high), after);
  queue_.insert({low->second.key, low->first});
}

// Where to split the segment with the largest key, among those that are long enough.
std::optional<std::uint64_t> Refinement::split() {
  while (!queue_.empty()) {
    const auto worst = *queue_.begin();
    if (worst.key < limits_.precision) {
      end_ = End::precision;
      return std::nullopt;
    }
    const auto low = places_.find(worst.low);
    const auto from = low->first, to = std::next(low)->first;
    const auto at = middle(from, to);
    const auto distance = std::max<std::uint64_t>(limits_.min_distance, 1);
    if (at > from && at < to && at - from >= distance && to - at >= distance) {
      asked_within_ = Step::Segment{from, to, worst.key};
      return at;
    }
    low->second.closed = true;
    queue_.erase(queue_.begin());
  }
  end_ = End::distance;
  return std::nullopt;
}

std::uint64_t Refinement::middle(std::uint64_t low, std::uint64_t high) const {
  const auto b = static_cast<double>(low), c = static_cast<double>(high);
  const double m = is_log(range_.scale) && low > 0 ? std::sqrt(b * c) : (b + c) / 2;
  return to_multiple(round_up_half(m), range_.multiple_of);
}

std::vector<CurvePoint> Refinement::curve() const {
  std::vector<CurvePoint> points;
  points.reserve(places_.size());
  for (const auto& [argument, place] : places_) points.push_back({argument, place.result});
  return points;
}

}  // namespace busline::measure
