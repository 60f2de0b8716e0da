// A run in a process of its own: SimGrid's engine exists once a process, and what it cannot do ends the
// process that it is in.
#pragma once
#include <functional>

#include "sim/base/error.hpp"
#include "sim/results/result.hpp"

namespace busline {

using Progress = std::function<bool(double)>;

/// Calls `job` in a child process and gives what it returns. The child's calls of the Progress that `job` is
/// given are calls of `progress` in this process; `job` gets an empty one if `progress` is empty. Changes
/// that `job` makes to objects are lost with the child, and what it prints is not seen. The child ignores
/// SIGINT and SIGTERM, and ends when this process does; none is left behind. An Error of kind unreadable if
/// there can be no child, of kind unsupported if it ends without a result: it has the signal and the last
/// line that the child wrote. Cost: a fork, and the result once more in memory.
Expected<Result> run_in_worker(const std::function<Expected<Result>(const Progress&)>& job,
                               const Progress& progress);

}  // namespace busline
