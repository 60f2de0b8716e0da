#include "validation/compare/measurement_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/fields/printable.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "sim/base/quantile.hpp"

namespace busline::compare {
namespace {

using measure::Measurement;
using measure::Point;
using measure::Suite;

// The slowest tenth of the links, but at least as many as a person looks at.
constexpr std::size_t kFewLinks = 10;
constexpr std::size_t kPartOfLinks = 10;

const Suite* find_suite(const Measurement& m, const std::string& name) {
  const auto found =
      std::find_if(m.suites.begin(), m.suites.end(), [&](const Suite& s) { return s.name == name; });
  return found == m.suites.end() ? nullptr : &*found;
}

std::string some_names(const Measurement& m) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(m.suites.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(m.suites[i].name));
  if (m.suites.size() > kShown) text += fmt::format(" and {} more", m.suites.size() - kShown);
  return text;
}

// What two suites of one name must have in common, as the document says it. Not the ranks: a machine has
// many pairs of nodes.
Expected<void> check_same_subject(const Suite& a, const Suite& b) {
  const auto members = [](Suite s) {
    s.points.clear();
    return fields::write(fields::Object(s));
  };
  const auto first = members(a), second = members(b);
  for (const auto* key : {"operation", "pattern", "time", "varies", "bytes", "chunks", "messages"})
    if (first[key] != second[key]) {
      Error e;
      e.where = a.name;
      e.message = fmt::format("has {} {} in one measurement, {} in the other", key, first[key].dump(),
                              second[key].dump());
      return tl::unexpected(std::move(e));
    }
  return {};
}

std::vector<MatchedPoint> matched(const Suite& a, const Suite& b) {
  std::map<std::pair<std::vector<std::uint32_t>, std::uint64_t>, double> others;
  for (const auto& p : b.points) others.emplace(std::pair(p.ranks, p.argument), p.result_ps.value);
  std::vector<MatchedPoint> points;
  for (const auto& p : a.points) {
    const auto other = others.find({p.ranks, p.argument});
    if (other != others.end() && other->second > 0 && p.result_ps.value > 0)
      points.push_back({p.argument, p.ranks, p.result_ps.value, other->second});
  }
  return points;
}

// The median and the quantile that is asked for of values that are there.
std::pair<double, double> median_and(double p, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, p)};
}

std::vector<std::size_t> slowest(const std::vector<MatchedPoint>& points, std::size_t count,
                                 double MatchedPoint::*time) {
  std::vector<std::size_t> places(points.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return points[a].*time > points[b].*time; });
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

void take_links(SuiteComparison& c) {
  const auto are_pairs =
      std::all_of(c.points.begin(), c.points.end(), [](const auto& p) { return p.ranks.size() == 2; });
  // With fewer, most would be among the slowest of both whatever they are.
  if (!are_pairs || c.points.size() < 2 * kFewLinks) return;
  const auto count = std::max(kFewLinks, c.points.size() / kPartOfLinks);
  const auto first = slowest(c.points, count, &MatchedPoint::first_ps);
  const auto second = slowest(c.points, count, &MatchedPoint::second_ps);
  std::vector<std::size_t> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  c.links = count;
  c.links_in_common = both.size();
}

SuiteComparison compared(const Suite& a, const Suite& b) {
  SuiteComparison c;
  c.suite = a.name;
  c.varies = a.varies;
  c.points = matched(a, b);
  c.unmatched = a.points.size() + b.points.size() - 2 * c.points.size();
  if (c.points.empty()) return c;
  std::vector<double> first, second, ratios, sizes;
  for (const auto& p : c.points) {
    first.push_back(p.first_ps);
    second.push_back(p.second_ps);
    ratios.push_back(p.log_ratio());
    sizes.push_back(std::fabs(p.log_ratio()));
  }
  c.worst = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::tie(c.median, c.p95) = median_and(0.95, std::move(sizes));
  c.bias = median_and(0.5, std::move(ratios)).first;
  c.rank_correlation = rank_correlation(first, second);
  take_links(c);
  return c;
}

// From 1; equal values have the mean of their places.
std::vector<double> places_in_order(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> places(values.size());
  for (std::size_t i = 0; i < order.size();) {
    auto end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const auto place = static_cast<double>(i + 1 + end) / 2;
    for (; i < end; ++i) places[order[i]] = place;
  }
  return places;
}

}  // namespace

double MatchedPoint::log_ratio() const {
  return std::log(second_ps / first_ps);
}

std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 3) return std::nullopt;
  const auto x = places_in_order(a), y = places_in_order(b);
  const auto mean = static_cast<double>(a.size() + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (xx == 0 || yy == 0) return std::nullopt;
  return xy / std::sqrt(xx * yy);
}

Expected<MeasurementComparison> compare_measurements(const Measurement& first, const Measurement& second) {
  MeasurementComparison all;
  std::vector<double> sizes;
  for (const auto& suite : first.suites) {
    const auto* const other = find_suite(second, suite.name);
    if (other == nullptr) {
      all.only_first.push_back(suite.name);
      continue;
    }
    if (auto same = check_same_subject(suite, *other); !same) return tl::unexpected(std::move(same.error()));
    auto c = compared(suite, *other);
    if (c.points.empty()) {
      all.only_first.push_back(suite.name);
      continue;
    }
    for (const auto& p : c.points) sizes.push_back(std::fabs(p.log_ratio()));
    all.suites.push_back(std::move(c));
  }
  for (const auto& suite : second.suites)
    if (find_suite(first, suite.name) == nullptr) all.only_second.push_back(suite.name);
  if (sizes.empty()) {
    Error e;
    e.message = "no suite has a point that both measurements have";
    e.hint = all.only_second.size() == second.suites.size()
                 ? fmt::format("suites are matched by name: {} in one, {} in the other", some_names(first),
                               some_names(second))
                 : "suites are matched by name, points by argument and ranks";
    return tl::unexpected(std::move(e));
  }
  std::tie(all.median, all.p95) = median_and(0.95, std::move(sizes));
  return all;
}

}  // namespace busline::compare
