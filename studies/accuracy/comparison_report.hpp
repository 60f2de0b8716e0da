// What 'busline compare' and 'busline validate' show of two measurements of the same things: a page of text,
// or a document "busline/comparison/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "sim/base/error.hpp"
#include "validation/compare/measurement_comparison.hpp"

namespace busline {

struct ComparisonReport {
  std::string first, second;  ///< what they are called
  compare::MeasurementComparison comparison;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< suites of the first, and why
  Diagnostics diagnostics;
};

/// Everything, points included. Ratios are natural logarithms of second / first.
void describe(Fields& f, ComparisonReport& report);
nlohmann::ordered_json to_json(const ComparisonReport& report);
std::string to_text(const ComparisonReport& report);

}  // namespace busline
