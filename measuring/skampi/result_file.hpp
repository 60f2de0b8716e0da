// SKaMPI's output: result files of SKaMPI 3 and 4 (and of Sphinx, which descends from SKaMPI 1), and the .sko
// files of SKaMPI 5 and 6. docs/reference/skampi.md shows both.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// A result as the files have it: microseconds, the standard error, and how many samples form it.
struct ResultTime {
  double value = 0, standard_error = 0;
  std::uint64_t count = 0;
  bool operator==(const ResultTime&) const = default;
};

struct ResultRow {
  std::uint64_t argument = 0;
  ResultTime cleaned,              ///< of the samples that the cut quantile leaves
      all;                         ///< of all of them; .sko: the same
  std::vector<double> node_times;  ///< microseconds on each process; may be missing
  bool settled = true;
  bool operator==(const ResultRow&) const = default;
};

/// Rows over one argument. Where a .sko file has loops within loops, each round of the outer ones is a suite.
struct ResultSuite {
  std::string name;       ///< unique in the file
  std::string operation;  ///< what was called; empty: not told
  measure::Pattern pattern = measure::Pattern::collective;
  measure::TimeOf time = measure::TimeOf::root;
  measure::Varies varies = measure::Varies::bytes;
  std::uint32_t processes = 0;  ///< that took part; 0: not told
  std::uint64_t line = 0;       ///< where it begins
  bool complete = false;        ///< its end was read
  std::vector<ResultRow> rows;
  bool operator==(const ResultSuite&) const = default;
};

struct ResultFile {
  enum class Format { skampi4, skampi5 } format = Format::skampi4;
  std::vector<std::pair<std::string, std::string>> head;  ///< key and text: MACHINE, VERSION, TIME, ...
  std::vector<std::string> hosts;                         ///< of each process, if the file tells
  std::vector<ResultSuite> suites;
  bool finished = false;  ///< the last line says so

  /// The text behind a key of the head, or nothing.
  std::string_view head_text(std::string_view key) const;
};

inline constexpr std::string_view kFinished = "skampi finished.";  // begins the last line of SKaMPI 4's files
inline constexpr std::size_t kLargestResultFile = std::size_t{16} << 20U;

/// Whether a file that begins like this is one of SKaMPI's results.
bool looks_like_results(std::string_view begin);

/// Rows are read as far as they are whole: a file whose end is missing gives its suites and a warning of code
/// "incomplete" that says what was read and what is missing. Lines with # that say nothing known are skipped.
/// Errors name file and line. Cost: linear.
Expected<ResultFile> parse_results(std::string_view text, const std::string& path, Diagnostics& diagnostics);
Expected<ResultFile> read_results(const std::string& path, Diagnostics& diagnostics);

/// The measurement that the rows are; provenance is left for the caller to fill. Rows of suites without an
/// end are measurements, too. Times have the digits that the file has: tenths of a microsecond.
measure::Measurement to_measurement(const ResultFile& file);

}  // namespace busline::skampi
