// RUNS and --traces of 'busline validate': run sets from documents and folders.
#pragma once
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

/// All run sets of `paths`, in order. Errors: those of runs::read_run_sets(), with hints for users who may
/// have meant a measurement or the platform.
Expected<std::vector<runs::RunSet>> load_run_sets(const std::vector<std::string>& paths);

/// The run sets of `path`, at least one of which must have a trace. Errors: likewise, with a hint for users
/// who named the trace itself.
Expected<std::vector<runs::RunSet>> load_traces(const std::string& path);

}  // namespace busline::cli
