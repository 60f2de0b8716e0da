#include "validation/calibrate/collectives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "validation/calibrate/collective_candidates.hpp"
#include "validation/calibrate/collective_prediction.hpp"

namespace busline::calibrate {
namespace {

using Points = std::vector<CollectivePoint>;

constexpr double kMostError = 1;      // of one point: what is far off is wrong, however far
constexpr double kSame = 1e-3;        // predictions that differ by less are the same
constexpr double kLeastNoise = 0.02;  // samples of one run know nothing of the next
constexpr double kMostNoise = 0.1;
constexpr double kClosedForm = 0.1;  // closed forms are many, and some fit by chance: what a point must gain
constexpr std::size_t kMostRanges = 3;
constexpr double kOfRange = 3;  // errors of a size's points, each as large as the noise, that a range costs

// Calls that nearly nothing is left of, since ranks start apart, have no ratio: half a latency is added to
// both.
double floor_of(const Platform& platform, const CollectivePoint& p) {
  const auto& machine = platform.machines.front();
  const auto& nodes = p.suite->nodes;
  const bool one_node = std::all_of(nodes.begin(), nodes.begin() + p.ranks,
                                    [&](std::uint32_t n) { return n == nodes.front(); });
  const auto latency = one_node ? machine.nodes.front().intra_node.latency : machine.network.latency;
  return static_cast<double>(latency.count()) / 2;
}

double error_of(const Platform& platform, const CollectivePoint& p, double predicted) {
  const double floor = floor_of(platform, p) + 1;
  return std::abs(std::log((p.measured_ps + floor) / (predicted + floor)));
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How far points are off by chance.
double noise_of(const Points& points) {
  std::vector<double> errors;
  for (const auto& p : points) errors.push_back(p.point->result_ps.standard_error / p.measured_ps);
  return std::max(kLeastNoise, median(std::move(errors)));
}

bool is_same(double a, double b) {
  return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

// One operation's points against all candidates.
class OperationSearch {
 public:
  OperationSearch(CollectiveKind kind, Points points, const Platform& platform, const LeadInCosts& lead_in)
      : kind_(kind),
        points_(std::move(points)),
        candidates_(candidates_for(kind)),
        noise_(noise_of(points_)) {
    std::stable_sort(points_.begin(), points_.end(),
                     [](const CollectivePoint& a, const CollectivePoint& b) { return a.bytes < b.bytes; });
    predict(platform, lead_in);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (i == 0 || points_[i].bytes != points_[i - 1].bytes) sizes_.push_back(i);
    sizes_.push_back(points_.size());
  }

  /// Nothing if no candidate can run.
  std::optional<OperationFit> fit(std::vector<CollectiveResidual>& residuals) const {
    if (points_.empty() || candidates_.empty()) return std::nullopt;
    OperationFit fit;
    fit.kind = kind_;
    const auto begins = cut();
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const auto end = i + 1 < begins.size() ? begins[i + 1] : points_.size();
      const auto chosen = best(begins[i], end).first;
      fit.ranges.push_back(range(begins[i], end, chosen));
      for (auto p = begins[i]; p < end; ++p)
        residuals.push_back({points_[p].suite->name, points_[p].point->argument, points_[p].measured_ps,
                             predicted_[chosen][p]});
    }
    fit.ranges.front().cost.from = Bytes{0};
    return fit;
  }

 private:
  void predict(const Platform& platform, const LeadInCosts& lead_in) {
    std::vector<CollectiveCost> able;
    for (const auto& c : candidates_) {
      std::vector<double> times, errors, sums{0};
      for (const auto& p : points_) {
        const auto time = predicted_ps(p, platform, lead_in, c);
        if (!time) break;
        times.push_back(*time);
        errors.push_back(error_of(platform, p, *time));
        sums.push_back(sums.back() + std::min(errors.back(), kMostError) + (c.algorithm ? 0 : kClosedForm));
      }
      if (times.size() < points_.size()) continue;
      able.push_back(c);
      predicted_.push_back(std::move(times));
      errors_.push_back(std::move(errors));
      sums_.push_back(std::move(sums));
    }
    candidates_ = std::move(able);
    // What the best choice for all sizes leaves is no reason to take others for some of them.
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

  // Of points from begin to end, and what it costs. Of those that are as good the first, which is simpler.
  std::pair<std::size_t, double> best(std::size_t begin, std::size_t end) const {
    std::size_t found = 0;
    for (std::size_t c = 1; c < candidates_.size(); ++c)
      if (cost(c, begin, end) < cost(found, begin, end) - kSame * static_cast<double>(end - begin)) found = c;
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
    // Of the first i sizes in so many ranges.
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
    return median(
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
      r.runner_up_error = error(*second, begin, end);
      r.told_apart =
          cost(*second, begin, end) - cost(chosen, begin, end) > noise_ * static_cast<double>(r.points);
    }
    return r;
  }

  CollectiveKind kind_;
  Points points_;  // by size
  std::vector<CollectiveCost> candidates_;
  double noise_;
  std::vector<std::size_t> sizes_;                       // where in points_ each size begins, and the end
  std::vector<std::vector<double>> predicted_, errors_;  // by candidate and point
  std::vector<std::vector<double>> sums_;                // by candidate: of capped errors before each point
};

// The Barrier and the Bcast of a verdict. Each is measured behind the other, and so is all else: the pairs
// that explain Barrier's and the smallest Bcast's times together are tried with the smallest sizes of the
// others.
class LeadInSearch {
 public:
  LeadInSearch(const std::map<CollectiveKind, Points>& by_kind, const Platform& platform)
      : platform_(platform) {
    for (const auto& [kind, points] : by_kind) smallest_[kind] = of_smallest_size(points);
  }

  LeadInCosts find() const {
    struct Pair {
      double misfit;
      LeadInCosts costs;
    };
    std::vector<Pair> pairs;
    for (const auto& barrier : candidates(CollectiveKind::barrier))
      for (const auto& bcast : candidates(CollectiveKind::bcast)) {
        const LeadInCosts costs{barrier, bcast};
        pairs.push_back(
            {misfit(CollectiveKind::barrier, costs, barrier) + misfit(CollectiveKind::bcast, costs, bcast),
             costs});
      }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.misfit < b.misfit; });
    constexpr std::size_t kTried = 16;
    pairs.resize(std::min(pairs.size(), kTried));
    for (auto& pair : pairs) pair.misfit += misfit_of_others(pair.costs);
    const auto best = std::min_element(
        pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.misfit < b.misfit - kSame; });
    return best->costs;
  }

 private:
  static Points of_smallest_size(const Points& points) {
    const auto least = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
                         return a.bytes < b.bytes;
                       })->bytes;
    Points smallest;
    for (const auto& p : points)
      if (p.bytes == least) smallest.push_back(p);
    return smallest;
  }

  // Of an operation without times, what the platform says. Only programs on real machines broadcast verdicts,
  // and MPI libraries there have algorithms.
  std::vector<CollectiveCost> candidates(CollectiveKind kind) const {
    if (const auto at = smallest_.find(kind); at != smallest_.end()) {
      auto found = candidates_for(kind);
      if (at->second.front().suite->lead_in == LeadIn::verdict_and_barrier)
        std::erase_if(found, [](const CollectiveCost& c) { return !c.algorithm; });
      return found;
    }
    const auto& row = platform_.mpi.collectives.by_kind[static_cast<std::size_t>(kind)];
    return {row.empty() ? candidates_for(kind).front() : row.front()};
  }

  double misfit(CollectiveKind kind, const LeadInCosts& lead_in, const CollectiveCost& cost) const {
    const auto at = smallest_.find(kind);
    if (at == smallest_.end()) return 0;
    double sum = 0;
    for (const auto& p : at->second) {
      const auto time = predicted_ps(p, platform_, lead_in, cost);
      sum += time ? std::min(error_of(platform_, p, *time), kMostError) : kMostError;
      if (!cost.algorithm) sum += kClosedForm;
    }
    return sum;
  }

  // With the algorithm for each that suits it best.
  double misfit_of_others(const LeadInCosts& lead_in) const {
    double sum = 0;
    for (const auto& [kind, points] : smallest_) {
      if (kind == CollectiveKind::barrier || kind == CollectiveKind::bcast) continue;
      double least = std::numeric_limits<double>::infinity();
      for (const auto& c : candidates_for(kind)) least = std::min(least, misfit(kind, lead_in, c));
      sum += least;
    }
    return sum;
  }

  const Platform& platform_;
  std::map<CollectiveKind, Points> smallest_;
};

// Kernels measure these, so that who asks for a calibration can add them.
constexpr std::array kWorthMeasuring{
    CollectiveKind::barrier,   CollectiveKind::bcast,    CollectiveKind::reduce,
    CollectiveKind::allreduce, CollectiveKind::gather,   CollectiveKind::scatter,
    CollectiveKind::allgather, CollectiveKind::alltoall, CollectiveKind::reduce_scatter};

void warn(Diagnostics& diagnostics, std::string code, std::string message) {
  diagnostics.push_back({.code = std::move(code), .message = std::move(message)});
}

}  // namespace

CollectiveFit fit_collectives(const std::vector<measure::Measurement>& measurements,
                              const Platform& point_to_point) {
  CollectiveFit fit;
  if (point_to_point.machines.empty() || point_to_point.machines.front().nodes.empty()) return fit;
  std::map<CollectiveKind, Points> by_kind;
  for (const auto& m : measurements)
    for (const auto& suite : m.suites)
      for (auto& p : collective_points(suite)) by_kind[p.kind].push_back(p);

  const auto lead_in = LeadInSearch(by_kind, point_to_point).find();
  fit.barrier = name_of(lead_in.barrier);
  fit.verdict = name_of(lead_in.bcast);
  for (const auto& [kind, points] : by_kind) {
    const auto name = kCollectiveNames[static_cast<std::size_t>(kind)];
    auto found = OperationSearch(kind, points, point_to_point, lead_in).fit(fit.residuals);
    if (!found) {
      warn(fit.diagnostics, "collectives-not-predicted",
           fmt::format("{} keeps what it costs: the platform cannot run what was measured", name));
      continue;
    }
    for (const auto& range : found->ranges)
      if (!range.runner_up.empty() && !range.told_apart)
        warn(fit.diagnostics, "collectives-alike",
             fmt::format("{} from {} bytes on: {} and {} cannot be told apart ({:.1f} and {:.1f} % off)",
                         name, count(range.cost.from), range.name, range.runner_up, 100 * range.error,
                         100 * range.runner_up_error));
    fit.operations.push_back(*std::move(found));
  }
  std::vector<std::string_view> missing;
  for (const auto kind : kWorthMeasuring)
    if (by_kind.count(kind) == 0) missing.push_back(kCollectiveNames[static_cast<std::size_t>(kind)]);
  if (!missing.empty())
    warn(fit.diagnostics, "collectives-not-measured",
         fmt::format("no times of {}: they keep what they cost", fmt::join(missing, ", ")));
  return fit;
}

void apply(const CollectiveFit& fit, Platform& platform) {
  for (const auto& operation : fit.operations) {
    auto& row = platform.mpi.collectives.by_kind[static_cast<std::size_t>(operation.kind)];
    row.clear();
    for (const auto& range : operation.ranges) row.push_back(range.cost);
  }
}

}  // namespace busline::calibrate
