// Environment of a run: settings of MPI and OpenMP, and the scheduler's job.
#pragma once
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"

namespace busline::runs {

/// Those variables of this process that change how programs run, by name.
std::vector<Variable> environment_that_matters();

/// The default name of the machine in a run set: the scheduler's name for it, the only host, or "cluster".
std::string machine_name(const std::vector<std::string>& hosts);

/// The id of the Slurm job that this process is in, or nothing.
std::string scheduler_job();

}  // namespace busline::runs
