// Several jobs at once on one machine: what each takes, how much longer than alone, and which other job it
// waited for (docs/how-to/jobs.md).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/jobs/job_waits.hpp"
#include "models/simulate.hpp"
#include "sim/jobs/merge_jobs.hpp"

namespace busline {

/// A job, and the node of each of its ranks.
struct PlacedJob {
  Job job;
  std::vector<std::uint32_t> nodes;
};

struct JobsOptions {
  bool alone = true;  ///< also simulate each job alone on its nodes
  bool waits = true;  ///< who waits for whom; not with a solver that cannot be observed
  unsigned threads = 1;
};

struct JobResult {
  std::string name;
  std::uint32_t first_rank = 0, ranks = 0;
  bool background = false;
  Duration start;
  /// From its start to the end of its last rank; in the background, the mean of complete repetitions, and
  /// nothing if there is none.
  std::optional<Duration> run_time{};
  std::uint64_t repetitions = 0;    ///< complete ones
  std::optional<Duration> alone{};  ///< its run time without the other jobs; nothing if that is not complete
  std::vector<JobWait> waits{};     ///< by_job: in the order of jobs

  /// run_time / alone - 1.
  std::optional<double> slowdown() const;
};

struct JobsRun {
  Result result;  ///< of all of them, ranks in the order of jobs
  std::vector<JobResult> jobs;
};

/// Where the ranks of the jobs go: those of a job fill the listed nodes one after the other, equally many on
/// each. Errors (bad_option, where: the job's name): more nodes than ranks, a node that does not exist, or
/// ranks of two jobs on a node that has fewer CPUs than ranks.
Expected<Machine> place_jobs(const Platform& platform, std::span<const PlacedJob> jobs);

/// Errors: those of merge_jobs(), place_jobs() and simulate(). `options.observers` watch the run of all jobs,
/// whose Program is `merged.program`. Cost: that run, and one for each job.
Expected<JobsRun> simulate_jobs(const MergedJobs& merged, std::span<const PlacedJob> jobs,
                                const Platform& platform, const Machine& machine,
                                const SimulateOptions& options, const JobsOptions& how = {});

/// Slowdowns of each of `jobs` beside each other one: [job][beside]. The second one runs as often as the
/// first lasts.
struct JobMatrix {
  std::vector<std::string> names;
  std::vector<Duration> alone;
  std::vector<std::vector<std::optional<double>>> slowdown;  ///< nothing for a job beside itself
};
Expected<std::optional<JobMatrix>> job_matrix(std::span<const PlacedJob> jobs, const Platform& platform,
                                              const SimulateOptions& options, unsigned threads);

}  // namespace busline
