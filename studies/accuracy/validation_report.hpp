// The output of 'busline validate': a page of text, or a document "busline/validation/1"
// (studies/schema/validation.schema.json).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "validation/compare/baseline.hpp"
#include "validation/compare/error_summary.hpp"
#include "validation/compare/run_comparison.hpp"

namespace busline {

/// Limits for the predictions, as shares of the measured time.
struct ValidationLimits {
  std::optional<double> each, median;
};

/// A baseline that the predictions were compared with.
struct BaselineReport {
  std::string file;
  double tolerance = compare::kTolerance;
  std::vector<compare::BaselineChange> changes;
  bool updated = false;  ///< the file now says what is predicted now
};

struct ValidationReport {
  std::string model;
  std::vector<compare::RunComparison> runs;
  double most_spread = compare::kMostSpread;
  ValidationLimits limits;
  std::optional<BaselineReport> baseline;
  Diagnostics diagnostics;

  compare::Judged judged() const { return compare::judge(runs, most_spread); }
};

/// Violations, one per line: errors beyond limits, runs worse than the baseline; and if limits exist, that no
/// run counts. Empty if there are none.
std::vector<std::string> complaints(const ValidationReport& report);

/// Everything, times of calls by rank included.
nlohmann::ordered_json to_json(const ValidationReport& report);
/// `details`: also where the time went in each run, by call and by rank.
std::string to_text(const ValidationReport& report, bool details);

}  // namespace busline
