// SKaMPI's log of a run: which suites were begun, and what became of them. It is what a run that was killed
// is continued by.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::skampi {

enum class SuiteState {
  todo,
  done,    ///< measured by a run that this one continues
  failed,  ///< begun and not ended: it is not tried again, since it may be what killed the run
};

using SuiteStates = std::map<std::string, SuiteState, std::less<>>;

/// A log entry of a suite: "Process 0: NAME started". `interrupted` is our addition: somebody wanted the run
/// to end, so that it may be tried again.
enum class LogEvent { started, ended, failed, skipped, interrupted };
std::string log_line(const std::string& suite, LogEvent event);

/// The state of each suite that a log names. "ended" without "started" is not a log of ours: a warning, and
/// what follows is not read. Other lines are skipped, and so is a last line without an end.
SuiteStates read_log(std::string_view text, const std::string& path, Diagnostics& diagnostics);

}  // namespace busline::skampi
