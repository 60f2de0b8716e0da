#include "validation/calibrate/operation_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "validation/calibrate/collective_candidates.hpp"

namespace busline::calibrate {
namespace {

using Points = std::vector<CollectivePoint>;

constexpr double kLeastNoise = 0.02;  // samples of one run do not represent the next
constexpr double kMostNoise = 0.1;
constexpr std::size_t kMostRanges = 3;
constexpr double kOfRange = 3;  // errors of a size's points, each as large as the noise, that a range costs

// The upper one of the middle two.
double upper_median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How far points are off by chance.
double noise_of(const Points& points) {
  std::vector<double> errors;
  for (const auto& p : points) errors.push_back(p.point->result_ps.standard_error / p.measured_ps);
  return std::max(kLeastNoise, upper_median(std::move(errors)));
}

bool is_same(double a, double b) {
  return std::abs(a - b) <= kSameTimes * std::max(std::abs(a), std::abs(b));
}

// One operation's points against all candidates.
class OperationSearch {
 public:
  OperationSearch(const Points& points, std::vector<CollectiveCost> candidates, const Platform& platform,
                  const LeadIns& lead_ins)
      : points_(points), candidates_(std::move(candidates)), noise_(noise_of(points_)) {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const CollectivePoint& a, const CollectivePoint& b) { return a.bytes < b.bytes; });
    predict(platform, lead_ins);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (i == 0 || points_[i].bytes != points_[i - 1].bytes) sizes_.push_back(i);
    sizes_.push_back(points_.size());
  }

  std::optional<OperationFit> fit() const {
    if (points_.empty() || candidates_.empty()) return std::nullopt;
    OperationFit fit;
    fit.kind = points_.front().kind;
    const auto begins = cut();
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const auto end = i + 1 < begins.size() ? begins[i + 1] : points_.size();
      fit.ranges.push_back(range(begins[i], end, best(begins[i], end).first));
    }
    fit.ranges.front().cost.from = Bytes{0};
    return fit;
  }

 private:
  void predict(const Platform& platform, const LeadIns& lead_ins) {
    std::vector<CollectiveCost> able;
    for (const auto& c : candidates_) {
      std::vector<double> times, errors, sums{0};
      for (const auto& p : points_) {
        const auto time = predicted_ps(p, platform, lead_ins.at(p.ranks), c);
        if (!time) break;
        times.push_back(*time);
        errors.push_back(collective_error(p, platform, *time));
        sums.push_back(sums.back() + collective_misfit(p, platform, c, time));
      }
      if (times.size() < points_.size()) continue;
      able.push_back(c);
      predicted_.push_back(std::move(times));
      errors_.push_back(std::move(errors));
      sums_.push_back(std::move(sums));
    }
    candidates_ = std::move(able);
    // The error left by the best choice for all sizes does not justify other choices for some sizes.
    if (!candidates_.empty())
      noise_ =
          std::max(noise_, std::min(kMostNoise, error(best(0, points_.size()).first, 0, points_.size())));
  }

  double cost(std::size_t candidate, std::size_t begin, std::size_t end) const {
    return sums_[candidate][end] - sums_[candidate][begin];
  }

  bool is_alike(std::size_t a, std::size_t b, std::size_t begin, std::size_t end) const {
    for (auto p = begin; p < end; ++p)
      if (!is_same(predicted_[a][p], predicted_[b][p])) return false;
    return true;
  }

  // The choice for points from begin to end, and its cost. Among equally good ones the first, which is
  // simpler.
  std::pair<std::size_t, double> best(std::size_t begin, std::size_t end) const {
    std::size_t found = 0;
    for (std::size_t c = 1; c < candidates_.size(); ++c)
      if (cost(c, begin, end) < cost(found, begin, end) - kSameTimes * static_cast<double>(end - begin))
        found = c;
    return {found, cost(found, begin, end)};
  }

  // Where ranges begin, as places in points_: as few as explain the points.
  std::vector<std::size_t> cut() const {
    const auto n = sizes_.size() - 1;
    const double price =
        kOfRange * noise_ * std::max(1.0, static_cast<double>(points_.size()) / static_cast<double>(n));
    struct Way {
      double cost = std::numeric_limits<double>::infinity();
      std::vector<std::size_t> begins;
    };
    // For the first i sizes, split into this many ranges.
    std::vector<Way> ways(n + 1);
    ways[0].cost = 0;
    Way result;
    for (std::size_t ranges = 1; ranges <= std::min(kMostRanges, n); ++ranges) {
      std::vector<Way> longer(n + 1);
      for (std::size_t end = ranges; end <= n; ++end)
        for (std::size_t begin = ranges - 1; begin < end; ++begin) {
          if (ways[begin].cost == std::numeric_limits<double>::infinity()) continue;
          const double total =
              ways[begin].cost + best(sizes_[begin], sizes_[end]).second + (ranges > 1 ? price : 0);
          if (total >= longer[end].cost) continue;
          longer[end] = {total, ways[begin].begins};
          longer[end].begins.push_back(sizes_[begin]);
        }
      ways = std::move(longer);
      if (ways[n].cost < result.cost) result = ways[n];
    }
    return result.begins;
  }

  double error(std::size_t candidate, std::size_t begin, std::size_t end) const {
    const auto& own = errors_[candidate];
    return upper_median(
        {own.begin() + static_cast<std::ptrdiff_t>(begin), own.begin() + static_cast<std::ptrdiff_t>(end)});
  }

  CollectiveRange range(std::size_t begin, std::size_t end, std::size_t chosen) const {
    CollectiveRange r;
    r.cost = candidates_[chosen];
    r.cost.from = Bytes{points_[begin].bytes};
    r.name = name_of(r.cost);
    r.error = error(chosen, begin, end);
    r.points = end - begin;
    std::optional<std::size_t> second;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (c == chosen) continue;
      if (is_alike(c, chosen, begin, end))
        r.same.push_back(name_of(candidates_[c]));
      else if (!second || cost(c, begin, end) < cost(*second, begin, end))
        second = c;
    }
    if (second) {
      r.runner_up = name_of(candidates_[*second]);
      r.runner_up_cost = candidates_[*second];
      r.runner_up_error = error(*second, begin, end);
      r.told_apart =
          cost(*second, begin, end) - cost(chosen, begin, end) > noise_ * static_cast<double>(r.points);
    }
    return r;
  }

  Points points_;  // by size
  std::vector<CollectiveCost> candidates_;
  double noise_;
  std::vector<std::size_t> sizes_;                       // where in points_ each size begins, and the end
  std::vector<std::vector<double>> predicted_, errors_;  // by candidate and point
  std::vector<std::vector<double>> sums_;                // by candidate: of capped errors before each point
};

}  // namespace

std::vector<CollectiveCost> OperationFit::row() const {
  std::vector<CollectiveCost> costs;
  for (const auto& range : ranges) costs.push_back(range.cost);
  return costs;
}

std::vector<CollectiveCost> OperationFit::other_row() const {
  std::vector<CollectiveCost> costs;
  for (const auto& range : ranges) {
    const bool is_known = range.told_apart || range.runner_up.empty();
    costs.push_back(is_known ? range.cost : range.runner_up_cost);
    costs.back().from = range.cost.from;
  }
  return costs;
}

std::optional<OperationFit> fit_operation(const std::vector<CollectivePoint>& points,
                                          std::vector<CollectiveCost> candidates, const Platform& platform,
                                          const LeadIns& lead_ins) {
  return OperationSearch(points, std::move(candidates), platform, lead_ins).fit();
}

}  // namespace busline::calibrate
