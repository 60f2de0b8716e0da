// Errors of predictions as they were once, so that a change that makes one worse is seen. The document
// "busline/validation-baseline/1" is kept beside the platforms (docs/how-to/validating.md).
#pragma once
#include <span>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "sim/base/error.hpp"
#include "validation/compare/error_summary.hpp"
#include "validation/compare/run_comparison.hpp"

namespace busline::compare {

/// A run set and what was predicted for it. All but the times are what it is known by.
struct BaselineRun {
  std::string machine, program;
  std::vector<std::string> command;
  runs::Borders region;
  Duration predicted, measured;  ///< measured: the median, above 0
  double error() const { return predicted.in_seconds() / measured.in_seconds() - 1; }
  bool operator==(const BaselineRun&) const = default;
};

struct Baseline {
  std::vector<BaselineRun> runs;  ///< by machine, program, command, region; none twice
  bool operator==(const Baseline&) const = default;
};

void describe(Fields& f, Baseline& baseline);

/// For the runs that count. An Error if two of them could not be distinguished.
Expected<Baseline> baseline_of(std::span<const RunComparison> runs, const Judged& judged);

/// Errors name file, line, column and JSON pointer.
Expected<Baseline> read_baseline(const std::string& path);
/// The same bytes for the same runs. What was there before stays until all of it is written.
Expected<void> write_baseline(const Baseline& baseline, const std::string& path);

/// |error| may grow by this share of the measured time: room for changes of rounding.
inline constexpr double kTolerance = 0.005;

/// What became of a run.
struct BaselineChange {
  enum class Kind { worse, better, added, gone };
  Kind kind = Kind::worse;
  std::string machine, program;
  double before = 0, now = 0;  ///< errors; 0 where there is none
  bool operator==(const BaselineChange&) const = default;
};
/// Those whose |error| changed by more than `tolerance`, and those that only one of the two has; in the order
/// of baselines.
std::vector<BaselineChange> changes_since(const Baseline& before, const Baseline& now, double tolerance);

}  // namespace busline::compare
