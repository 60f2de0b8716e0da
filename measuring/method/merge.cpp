#include "measuring/method/merge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "sim/base/assert.hpp"

namespace busline::measure {
namespace {

struct Candidate {
  std::size_t run = 0;
  FoundPoint found;
};

MergedPoint median_of(std::vector<Candidate>& candidates, MergeRule rule) {
  // Equal results are put in an order of their own, so that it does not matter which file was named first.
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) {
      const auto& p = c.found.point;
      return std::tuple(p.result.value, c.found.interpolated, p.result.standard_error, p.count);
    };
    return key(a) < key(b);
  });
  std::vector<Weighted> values;
  values.reserve(candidates.size());
  for (const auto& c : candidates)
    values.push_back({c.found.point.result.value,
                      rule == MergeRule::count ? static_cast<double>(c.found.point.count) : 1});
  const auto& chosen = candidates[lower_weighted_median(values)];
  MergedPoint merged;
  merged.point = chosen.found.point;
  merged.run = chosen.run;
  merged.interpolated = chosen.found.interpolated;
  merged.runs = candidates.size();
  merged.interpolated_runs = static_cast<std::size_t>(std::count_if(
      candidates.begin(), candidates.end(), [](const Candidate& c) { return c.found.interpolated; }));
  merged.spread = {values.front().value, values.back().value};
  return merged;
}

}  // namespace

std::size_t lower_weighted_median(std::span<const Weighted> values) {
  SIM_ASSERT(!values.empty());
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a].value < values[b].value; });
  double total = 0;
  for (const auto& v : values) total += v.weight;
  const bool equal = total <= 0;
  if (equal) total = static_cast<double>(values.size());
  double sum = 0;
  for (const auto place : order) {
    sum += equal ? 1 : values[place].weight;
    if (2 * sum >= total) return place;
  }
  return order.back();
}

std::optional<FoundPoint> find_point(std::span<const RunPoint> ascending, std::uint64_t argument) {
  const auto right = std::lower_bound(ascending.begin(), ascending.end(), argument,
                                      [](const RunPoint& p, std::uint64_t m) { return p.argument < m; });
  if (right == ascending.end()) return std::nullopt;
  if (right->argument == argument) return FoundPoint{*right, false};
  if (right == ascending.begin()) return std::nullopt;
  const auto& a = *(right - 1);
  const auto& b = *right;
  const double share =
      static_cast<double>(argument - a.argument) / static_cast<double>(b.argument - a.argument);
  return FoundPoint{{argument,
                     {std::lerp(a.result.value, b.result.value, share),
                      std::min(a.result.standard_error, b.result.standard_error)},
                     std::min(a.count, b.count)},
                    true};
}

std::vector<MergedPoint> merge_runs(std::span<const std::vector<RunPoint>> runs, MergeRule rule) {
  std::set<std::uint64_t> arguments;
  for (const auto& run : runs)
    for (const auto& point : run) arguments.insert(point.argument);
  std::vector<MergedPoint> merged;
  merged.reserve(arguments.size());
  std::vector<Candidate> candidates;
  for (const auto argument : arguments) {
    candidates.clear();
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (auto found = find_point(runs[i], argument)) candidates.push_back({i, *found});
    merged.push_back(median_of(candidates, rule));
  }
  return merged;
}

}  // namespace busline::measure
