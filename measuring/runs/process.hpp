// Runs a command to its end, with a limit, and ends all of it if need be.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::runs {

struct ProcessOptions {
  std::vector<std::string> words;     ///< the command; looked for in PATH
  std::vector<Variable> variables{};  ///< added to this process's environment
  std::string output, errors;         ///< files for its output; they are overwritten
  std::optional<Duration> limit{};    ///< after which it is ended
  std::function<bool()> go_on{};      ///< asked every 100 ms; false ends it
};

struct ProcessEnd {
  enum class Why { itself, limit, interrupted };
  Why why = Why::itself;
  int exit_code = 0;  ///< 128 + N if signal N ended it
  Duration wall;
};

/// The command runs in a process group of its own, with nothing on its standard input. To end it the group
/// gets SIGTERM, and SIGKILL after 5 s; what is left of the group when the command has ended gets SIGKILL. An
/// Error of kind unreadable if it cannot be started, or its files cannot be made.
Expected<ProcessEnd> run_process(const ProcessOptions& options);

}  // namespace busline::runs
