// Several jobs as one Program: ranks, communicators and messages of each stay its own, so that a replay of
// the whole is a machine that they share (docs/how-to/jobs.md).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

struct Job {
  std::string name;
  Program program;
  Duration start{};
  /// In the background: begins again as soon as its last rank has ended, until all other jobs have ended.
  bool repeats = false;
};

struct MergedJobs {
  Program program;
  /// Rank r of job j is rank first_rank[j] + r of the Program. One more than there are jobs.
  std::vector<std::uint32_t> first_rank;
};

/// Communicator 0 is all ranks of all jobs, which no operation uses; that of each job follows. Errors
/// (bad_option, where: the job's name): no job that ends, a start before 0, a job that cannot begin again
/// because it has threads or requests that it does not wait for, or more ranks, channels or names than a
/// Program can hold. Linear in the operations, which are copied.
Expected<MergedJobs> merge_jobs(std::span<const Job> jobs);

}  // namespace busline
