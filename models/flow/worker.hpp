// A run in a separate process: SimGrid's engine exists once per process, and its failures end the process.
#pragma once
#include <functional>

#include "sim/base/error.hpp"
#include "sim/results/result.hpp"

namespace busline {

using Progress = std::function<bool(double)>;

/// Calls `job` in a child process and returns its result. The child's calls of the Progress that `job` gets
/// become calls of `progress` in this process; `job` gets an empty one if `progress` is empty. Changes that
/// `job` makes to objects are lost with the child, and its output is discarded. The child ignores SIGINT and
/// SIGTERM, and ends with this process; none is left behind. An Error of kind unreadable if no child can be
/// started, of kind unsupported if it ends without a result: its message has the signal and the last line
/// that the child wrote. Cost: a fork, and the result once more in memory.
Expected<Result> run_in_worker(const std::function<Expected<Result>(const Progress&)>& job,
                               const Progress& progress);

}  // namespace busline
