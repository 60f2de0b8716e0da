// Run sets from documents and folders: RUNS and --traces of 'busline validate', WORKLOAD of 'busline
// simulate'.
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

/// The run sets in `path`, where a workload is expected: those of `program`, or all if it is empty. None if
/// `path` is a workload itself. Errors: no run set of `program`, or none to choose it from; those of
/// runs::read_run_sets().
Expected<std::vector<runs::RunSet>> choose_run_sets(const std::string& path, const std::string& program);

/// For an option that works on one run set only, and got several.
tl::unexpected<Error> refuse_several(const std::vector<runs::RunSet>& sets, const std::string& option);

}  // namespace busline::cli
