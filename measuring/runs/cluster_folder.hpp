// Data sets of validation/golden/real_runs (README.md there): all programs of one network setting in a
// folder.
#pragma once
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::runs {

/// Whether `folder` is laid out like that: cluster.txt and times.jsonl.
bool is_cluster_folder(const std::string& folder);

/// A run set for each program, in the order in which times.jsonl names them first. Their region is the one
/// that the programs time themselves: MPI_Barrier:1 to MPI_Reduce:-3. Errors name the file and line.
Expected<std::vector<RunSet>> read_cluster_folder(const std::string& folder);

}  // namespace busline::runs
