#include "studies/accuracy/comparison_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

using compare::MatchedPoint;
using compare::SuiteComparison;
using nlohmann::ordered_json;

// A logarithm of a ratio in readable form.
std::string off(double log_ratio) {
  return percent(std::exp(std::fabs(log_ratio)) - 1);
}

std::string signed_off(double log_ratio) {
  return signed_percent(std::exp(log_ratio) - 1);
}

std::string place_of(const SuiteComparison& suite, const MatchedPoint& point) {
  if (!point.ranks.empty()) return fmt::format("ranks {}", fmt::join(point.ranks, "-"));
  return suite.varies == measure::Varies::nothing ? "" : fmt::format("at {}", point.argument);
}

std::vector<std::string> suite_row(const SuiteComparison& s) {
  const auto& worst = s.points[s.worst];
  return {s.suite,
          fmt::format("{}", s.points.size()),
          off(s.median),
          off(s.p95),
          signed_off(s.bias),
          s.rank_correlation ? fmt::format("{:.3f}", *s.rank_correlation) : "-",
          fmt::format("{} {}", signed_off(worst.log_ratio()), place_of(s, worst))};
}

std::string names_text(const char* label, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("{}: {}\n", label, fmt::join(names, ", "));
}

ordered_json point_json(const MatchedPoint& p) {
  ordered_json j{{"argument", p.argument}};
  if (!p.ranks.empty()) j["ranks"] = p.ranks;
  j["first_ps"] = p.first_ps;
  j["second_ps"] = p.second_ps;
  return j;
}

ordered_json suite_json(const SuiteComparison& s) {
  ordered_json j{{"suite", s.suite},
                 {"unmatched_points", s.unmatched},
                 {"median_abs_log_ratio", s.median},
                 {"p95_abs_log_ratio", s.p95},
                 {"median_log_ratio", s.bias}};
  j["rank_correlation"] = s.rank_correlation ? ordered_json(*s.rank_correlation) : ordered_json();
  if (s.links > 0) {
    j["slowest_links"] = s.links;
    j["slowest_links_in_common"] = s.links_in_common;
  }
  auto& points = j["points"] = ordered_json::array();
  for (const auto& p : s.points) points.push_back(point_json(p));
  return j;
}

}  // namespace

ordered_json to_json(const ComparisonReport& report) {
  const auto& c = report.comparison;
  ordered_json j{{"schema", "busline/comparison/1"}, {"first", report.first}, {"second", report.second}};
  j["median_abs_log_ratio"] = c.median;
  j["p95_abs_log_ratio"] = c.p95;
  auto& suites = j["suites"] = ordered_json::array();
  for (const auto& s : c.suites) suites.push_back(suite_json(s));
  j["only_first"] = c.only_first;
  j["only_second"] = c.only_second;
  auto& left_out = j["left_out"] = ordered_json::array();
  for (const auto& [suite, why] : report.left_out) left_out.push_back({{"suite", suite}, {"why", why}});
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

std::string to_text(const ComparisonReport& report) {
  const auto& c = report.comparison;
  auto text = fmt::format("{} against {}\n", report.second, report.first);
  TextTable table({"suite", "points", "median error", "95 % within", "bias", "order", "worst"});
  for (const auto& s : c.suites) table.add(suite_row(s));
  text += table.text();
  for (const auto& s : c.suites)
    if (s.links > 0)
      text +=
          fmt::format("\n{}: of the {} slowest links, {} are the same", s.suite, s.links, s.links_in_common);
  text += fmt::format("\nall points: median error {}, 95 % within {}\n", off(c.median), off(c.p95));
  text += names_text("only in the first, or without common points", c.only_first);
  text += names_text("only in the second", c.only_second);
  for (const auto& [suite, why] : report.left_out) text += fmt::format("not simulated: {}: {}\n", suite, why);
  return text;
}

}  // namespace busline
