#include "studies/accuracy/comparison_report.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;

TEST_CASE("the slowest pairs of ranks that both have in common are reported") {
  ComparisonReport report{"a.json", "b.json", {}, {}, {}};
  compare::SuiteComparison s;
  s.suite = "linktest";
  s.points = {{1, {0, 1}, 1e6, 2e6}};
  s.links = 10;
  s.links_in_common = 7;
  report.comparison.suites = {s};
  CHECK(to_text(report).find("\nlinktest: of the 10 slowest links, 7 are the same\n") != std::string::npos);
}
