// A run of SKaMPI: its suites one after the other on a testbed, with the result file and the log kept as
// SKaMPI keeps them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/skampi/result_writer.hpp"
#include "measuring/skampi/run_files.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

struct SuiteRun {
  /// In the order of the plans. For a suite that an earlier run measured, what the out file has. The last may
  /// be one that was interrupted, with the points that it had.
  std::vector<measure::Suite> suites;
  std::vector<std::string> left_out;  ///< suites for which no time was left
  std::vector<std::string> failed;    ///< suites that could not be measured, or are not tried again
  bool interrupted = false;
};

struct RunOptions {
  RunFiles* files = nullptr;         ///< nothing, if no files are wanted
  std::vector<std::string> others;   ///< suites of the parameter file that are not to be measured this time
  std::optional<Duration> budget{};  ///< what all may take together, on the testbed's clock
};

/// Warnings: suites that cannot be measured, with the reason; those that are not tried again. Errors: files
/// that cannot be written.
Expected<SuiteRun> run_suites(measure::Testbed& testbed, std::span<const measure::SuitePlan> suites,
                              const RunOptions& options, const measure::Watch& watch,
                              Diagnostics& diagnostics);

/// SKaMPI's post-processing: if there are older runs OUT.1, OUT.2, ..., OUT becomes one of them and a new OUT
/// has all of them merged, by number of samples. Gives how many runs there were; 1: nothing was done. Errors:
/// files that cannot be read or written, that are not complete, or that measured different things.
Expected<std::size_t> merge_older_runs(const std::string& out, Diagnostics& diagnostics);

}  // namespace busline::skampi
