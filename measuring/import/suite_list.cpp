#include "measuring/import/suite_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace busline::measure {
namespace {

constexpr double kCut = 0.25;  // as measuring does: docs/reference/measuring.md, "How often"

bool is_same(const Suite& a, const Suite& b) {
  if (a.operation != b.operation || a.pattern != b.pattern || a.varies != b.varies || a.bytes != b.bytes)
    return false;
  // Over ranks: the first ones of the longer list.
  if (a.varies == Varies::ranks)
    return std::equal(a.ranks.begin(),
                      a.ranks.begin() + std::ssize(a.ranks.size() < b.ranks.size() ? a.ranks : b.ranks),
                      b.ranks.begin());
  return a.ranks == b.ranks;
}

}  // namespace

Suite* SuiteList::find_or_add(Suite wanted) {
  const auto taken = [&](std::string_view name) {
    return std::find_if(suites_.begin(), suites_.end(), [&](const Suite& s) { return s.name == name; });
  };
  const auto first = taken(wanted.name);
  if (first != suites_.end()) {
    if (is_same(*first, wanted)) {
      if (wanted.ranks.size() <= first->ranks.size()) return &*first;
      return grow(*first, std::move(wanted.ranks));
    }
    if (!wanted.ranks.empty())
      wanted.name += fmt::format("-{}-{}", wanted.ranks.front(), wanted.ranks.back());
    if (wanted.bytes) wanted.name += fmt::format("-{}", *wanted.bytes);
    if (const auto other = taken(wanted.name); other != suites_.end()) return &*other;
  }
  auto ranks = std::exchange(wanted.ranks, {});
  return grow(suites_.emplace_back(std::move(wanted)), std::move(ranks));
}

Suite* SuiteList::grow(Suite& suite, std::vector<std::uint32_t> ranks) {
  if (ranks.size() > kMostImportedRanks - ranks_) return nullptr;
  ranks_ += ranks.size();
  suite.ranks = std::move(ranks);
  suite.nodes = nodes_.of(suite.ranks);
  suite.route_class = class_between(suite.nodes);
  return &suite;
}

Suite SuiteList::collective(std::string_view call, Varies varies, std::uint32_t ranks, TimeOf time,
                            LeadIn lead_in) {
  Suite s;
  s.name = varies == Varies::ranks ? fmt::format("{}-ranks", call) : fmt::format("{}-length-{}", call, ranks);
  s.operation = call;
  s.pattern = Pattern::collective;
  s.time = time;
  s.varies = varies;
  s.ranks = first_ranks(ranks);
  s.lead_in = lead_in;
  return s;
}

Suite SuiteList::of_pair(std::string_view prefix, std::string_view operation, Pattern pattern, TimeOf time,
                         std::uint32_t a, std::uint32_t b) const {
  Suite s;
  s.name = fmt::format("{}-{}", prefix, nodes_.of(a) == nodes_.of(b) ? "intra" : "inter");
  s.operation = operation;
  s.pattern = pattern;
  s.time = time;
  s.ranks = {a, b};
  return s;
}

Measurement SuiteList::take(const std::string& path, Diagnostics& diagnostics) {
  for (auto& suite : suites_) {
    std::stable_sort(suite.points.begin(), suite.points.end(),
                     [](const Point& a, const Point& b) { return a.argument < b.argument; });
    const auto rest = std::unique(suite.points.begin(), suite.points.end(),
                                  [](const Point& a, const Point& b) { return a.argument == b.argument; });
    if (rest != suite.points.end())
      diagnostics.push_back(
          {.code = "repeated-points",
           .message = fmt::format("{} of {} points of {} occur twice: the first one counts",
                                  suite.points.end() - rest, suite.points.size(), suite.name),
           .path = path});
    suite.points.erase(rest, suite.points.end());
  }
  std::erase_if(suites_, [](const Suite& s) { return s.points.empty(); });
  Measurement m;
  m.testbed = TestbedKind::mpi;
  m.machine.nodes = nodes_.names();
  m.suites = std::move(suites_);
  return m;
}

Point average_point(std::uint64_t argument, double ps) {
  Point p;
  p.argument = argument;
  p.result_ps.value = ps;
  p.count = 1;
  return p;
}

Point point_of_samples(std::uint64_t argument, std::vector<Duration> samples) {
  Point p;
  p.argument = argument;
  auto ascending = as_numbers(samples);
  std::sort(ascending.begin(), ascending.end());
  p.result_ps = trimmed_mean(ascending, kCut);
  p.count = ascending.size() - 2 * cut_at_each_end(ascending.size(), kCut);
  p.time_ps = summarise(samples);
  p.samples = std::move(samples);
  return p;
}

std::vector<std::uint32_t> first_ranks(std::uint32_t n) {
  std::vector<std::uint32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

}  // namespace busline::measure
