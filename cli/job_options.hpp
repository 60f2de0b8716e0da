// --job of 'busline simulate': several workloads on one machine.
#pragma once
#include <string>
#include <vector>

#include "models/jobs/simulate_jobs.hpp"
#include "sim/base/error.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {

/// What NAME=TRACE@NODES[,start=TIME][,repeat] says.
struct JobOption {
  std::string name, path;
  std::vector<std::uint32_t> nodes;
  Duration start{};
  bool repeats = false;
};
/// An Error of kind bad_option (--job) shows what is wrong and the form.
Expected<JobOption> parse_job(const std::string& text);

struct JobsWorkload {
  std::vector<PlacedJob> jobs;
  MergedJobs merged;
  Workload workload;  ///< of all of them; its files are theirs
};
/// Loads and merges the jobs. Errors: those of parse_job(), of two jobs of one name, of load_workload() and
/// of merge_jobs().
Expected<JobsWorkload> load_jobs(const std::vector<std::string>& texts, const WorkloadOptions& options,
                                 Diagnostics& diagnostics);

}  // namespace busline::cli
