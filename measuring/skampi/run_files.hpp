// The result file and the log of a run, so kept that a run that is killed at any moment can be continued and
// loses no suite that was finished (docs/reference/skampi.md, "Restarting").
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/skampi/appended_file.hpp"
#include "measuring/skampi/result_file.hpp"
#include "measuring/skampi/run_log.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

struct RunFileNames {
  std::string out, log;  ///< the log may be stdout or stderr
};

class RunFiles {
 public:
  /// Looks at what an earlier run left and makes ready to measure. An out file that is complete is an older
  /// run: it gets the name OUT.n+1, n being the last of OUT.1, OUT.2, ...; one that older runs were merged
  /// into is replaced. One that is not complete is continued: what is in it behind the last suite with an end
  /// is cut off. An old log becomes LOG.old, and what had that name LOG.n+1. `head` is written to a new file.
  /// Errors: files that cannot be read or written; an out file that is not a result of SKaMPI 4.
  static Expected<RunFiles> open(const RunFileNames& names, const std::string& head,
                                 Diagnostics& diagnostics);

  /// For this suite, by what the run that is continued left. Those that are not to do are in the log already.
  SuiteState state(const std::string& suite) const;
  /// Nothing: the run is a new one.
  const std::optional<ResultFile>& continued() const { return continued_; }

  Expected<void> started(const std::string& suite) { return log_.append(log_line(suite, LogEvent::started)); }
  /// Puts the suite's text into the out file first, and then the event into the log: who finds it in the file
  /// need not ask the log.
  Expected<void> ended(const std::string& suite, const std::string& text);
  /// What was started and not measured, and why: failed, interrupted.
  Expected<void> not_measured(const std::string& suite, LogEvent why) {
    return log_.append(log_line(suite, why));
  }
  /// All suites are in the out file that will be. A run that is continued is finished only if it also has all
  /// of `others`: suites of the same parameter file that were not asked for this time.
  Expected<void> finish(std::span<const std::string> others = {});

 private:
  RunFiles(AppendedFile out, AppendedFile log) : out_(std::move(out)), log_(std::move(log)) {}
  Expected<void> take_over(SuiteStates&& states);

  AppendedFile out_, log_;
  SuiteStates states_;
  std::optional<ResultFile> continued_;
};

/// How an out file ends that holds older runs merged into one.
std::string merged_end_text();

/// The names of older runs' files, OUT.1, OUT.2, ..., as far as they exist.
std::vector<std::string> older_runs(const std::string& out);
/// The first name of that kind that is free.
std::string next_free_name(const std::string& name);

}  // namespace busline::skampi
