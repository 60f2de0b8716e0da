// Run sets, however they are stored.
#pragma once
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::runs {

/// The run sets that `path` stands for: a run-set document; a folder with one (run-set.json) or laid out like
/// validation/golden/real_runs; or a folder of such folders, in the order of their names, up to four deep. An
/// Error is that of the first invalid set, or reports that there is none.
Expected<std::vector<RunSet>> read_run_sets(const std::string& path);

/// Whether `path` is or contains a run set, valid or not: a document of that schema or name, or such a
/// folder.
bool holds_run_sets(const std::string& path);

}  // namespace busline::runs
