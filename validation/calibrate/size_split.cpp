#include "validation/calibrate/size_split.hpp"

#include <algorithm>
#include <limits>

#include "validation/calibrate/robust_fit.hpp"

namespace busline::calibrate {
namespace {

constexpr std::size_t kMostPlaces = 96;        // that are tried with each other before the places around them
constexpr std::size_t kLeastSizesOfRange = 4;  // two would lie on any line
constexpr std::uint64_t kLeastSpan = 2;        // an octave, by which misses are judged
constexpr double kLeastTime = 1;               // picoseconds
constexpr double kImpossibleRange = std::numeric_limits<double>::infinity();

}  // namespace

std::uint64_t round_limit(std::uint64_t above, std::uint64_t at_most) {
  std::uint64_t power = 1;
  while (power <= above && power <= at_most / 2) power *= 2;
  return power > above && power <= at_most ? power : at_most;
}

SizeSplit::SizeSplit(const std::vector<CurvePoint>& points, std::optional<std::uint64_t> rendezvous_from,
                     double spread)
    : rendezvous_from_(rendezvous_from), spread_(spread) {
  std::map<std::uint64_t, std::vector<CurvePoint>> by_size;
  for (const auto& p : points)
    if (p.kind == CurveKind::message) by_size[p.bytes].push_back({p.kind, p.bytes, p.ps, {}, p.weight});
  for (auto& [bytes, of_size] : by_size) {
    sizes_.push_back(bytes);
    of_.push_back(std::move(of_size));
  }
  stride_ = sizes_.size() / kMostPlaces + 1;
}

std::vector<std::uint64_t> SizeSplit::starts(std::size_t ranges) {
  auto places = coarse(ranges);
  if (places.empty()) return {};
  refine(places);
  std::vector<std::uint64_t> starts{0};
  for (std::size_t i = 1; i < places.size(); ++i)
    starts.push_back(round_limit(sizes_[places[i] - 1], sizes_[places[i]]));
  return starts;
}

/// The misfit of one range that holds the sizes from `first` up to, but not including, `end`.
double SizeSplit::cost(std::size_t first, std::size_t end) {
  const auto [at, is_new] = known_.try_emplace({first, end}, kImpossibleRange);
  if (is_new) at->second = fitted_cost(first, end);
  return at->second;
}

double SizeSplit::fitted_cost(std::size_t first, std::size_t end) const {
  if (end < first + kLeastSizesOfRange || sizes_[end - 1] / kLeastSpan < sizes_[first])
    return kImpossibleRange;
  // Where all are above the limit, the handshake is part of the range's latency.
  const bool has_both =
      rendezvous_from_ && sizes_[first] < *rendezvous_from_ && sizes_[end - 1] >= *rendezvous_from_;
  std::vector<Row> rows;
  for (auto i = first; i < end; ++i)
    for (const auto& p : of_[i]) {
      Row r{{1, static_cast<double>(p.bytes)}, p.ps, p.weight};
      if (has_both) r.columns.push_back(p.bytes >= *rendezvous_from_ ? 1 : 0);
      rows.push_back(std::move(r));
    }
  const auto fit = robust_fit(rows, kLeastTime);
  return fit.coefficients[1] > 0 ? misfit(fit, spread_) : kImpossibleRange;
}

SizeSplit::Places SizeSplit::coarse(std::size_t ranges) {
  Places ends;
  for (auto i = stride_; i < sizes_.size(); i += stride_) ends.push_back(i);
  ends.push_back(sizes_.size());
  struct Best {
    double misfit = kImpossibleRange;
    std::size_t before = 0;  // where the last range begins: a number among `ends`
  };
  // [n][i]: the sizes before ends[i] as n + 1 ranges.
  std::vector<std::vector<Best>> best(ranges, std::vector<Best>(ends.size()));
  for (std::size_t i = 0; i < ends.size(); ++i) best[0][i].misfit = cost(0, ends[i]);
  for (std::size_t n = 1; n < ranges; ++n)
    for (std::size_t i = 1; i < ends.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (best[n - 1][j].misfit >= best[n][i].misfit) continue;
        const double sum = best[n - 1][j].misfit + cost(ends[j], ends[i]);
        if (sum < best[n][i].misfit) best[n][i] = {sum, j};
      }
  if (best[ranges - 1].back().misfit == kImpossibleRange) return {};
  Places places;
  for (std::size_t n = ranges - 1, i = ends.size() - 1; n > 0; --n) {
    i = best[n][i].before;
    places.push_back(ends[i]);
  }
  places.push_back(0);
  std::reverse(places.begin(), places.end());
  return places;
}

/// Moves each place to where the two ranges beside it have the least misfit.
void SizeSplit::refine(Places& places) {
  for (std::size_t i = 1; i < places.size(); ++i) {
    const auto first = places[i - 1], end = i + 1 < places.size() ? places[i + 1] : sizes_.size();
    const auto misfit_at = [&](std::size_t place) { return cost(first, place) + cost(place, end); };
    auto best = places[i];
    for (auto p = std::max(first + 1, places[i] - std::min(places[i], stride_));
         p < std::min(end, places[i] + stride_); ++p)
      if (misfit_at(p) < misfit_at(best)) best = p;
    places[i] = best;
  }
}

}  // namespace busline::calibrate
