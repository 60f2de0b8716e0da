#include "studies/accuracy/comparison_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "documents/text/written.hpp"

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

}  // namespace

void describe(Fields& f, MatchedPoint& p) {
  f.required("argument", Amount{p.argument},
             "What the suite varies: bytes, ranks, ...; 0 if nothing varies.");
  f.optional("ranks", Wholes{p.ranks, 0, UINT32_MAX},
             "The ranks involved; left out if they are the suite's ranks.");
  f.required("first_ps", Number{p.first_ps}, "Result of the first measurement.");
  f.required("second_ps", Number{p.second_ps}, "Result of the second measurement, or of the simulation.");
}

void describe(Fields& f, SuiteComparison& s) {
  const auto amount = [&](std::uint64_t n) { return s.links > 0 ? std::optional(Amount{n}) : std::nullopt; };
  f.required("suite", s.suite, "Its name, which pairs the two.");
  f.required("unmatched_points", Amount{s.unmatched}, "In only one of the two, or with a result of 0.");
  f.required("median_abs_log_ratio", Number{s.median}, "Median size of the ratios: the error of a point.");
  f.required("p95_abs_log_ratio", Number{s.p95}, "95th percentile of the sizes of the ratios.");
  f.required("median_log_ratio", Number{s.bias},
             "Median of the ratios with their signs: above 0 the second is slower.");
  f.required("rank_correlation", OrNull<Real>{optional_real(s.rank_correlation)},
             "null: fewer than three points, or all the same.");
  f.optional("slowest_links", amount(s.links),
             "For pairs of ranks: number of slowest pairs compared in each; left out for other suites.");
  f.optional("slowest_links_in_common", amount(s.links_in_common),
             "Number of pairs that these have in common; left out likewise.");
  f.required("points", s.points, "Points that both have, with results above 0.");
}

void describe(Fields& f, ComparisonReport& report) {
  auto& c = report.comparison;
  f.about("docs/how-to/validating.md defines the metrics. Ratios are natural logarithms of second / first.");
  f.required("schema", SchemaName{"busline/comparison/1"});
  f.required("first", report.first, "A file.");
  f.required("second", report.second, "A file, or the name of the platform that was simulated.");
  f.required("median_abs_log_ratio", Number{c.median}, "Over the points of all suites.");
  f.required("p95_abs_log_ratio", Number{c.p95},
             "95th percentile of the sizes of the ratios, over the points of all suites.");
  f.required("suites", c.suites, "Suites that both have, with a point in common, in the order of the first.");
  f.required("only_first", c.only_first, "Suites that only the first has, or that have no point in common.");
  f.required("only_second", c.only_second, "Suites that only the second has.");
  f.required("left_out",
             DescribedList{report.left_out,
                           [](Fields& o, std::size_t, std::pair<std::string, std::string>& suite) {
                             o.required("suite", suite.first, "Its name.");
                             o.required("why", suite.second, "Why it is not simulated.");
                           }},
             "Suites that cannot be simulated, when a measurement is compared with a platform; else empty.");
  describe_end(f, report.diagnostics);
}

ordered_json to_json(const ComparisonReport& report) {
  auto copy = report;
  return written(fields::Object(copy));
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
