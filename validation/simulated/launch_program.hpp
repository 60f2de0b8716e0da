// The launch of a job as a Program (docs/reference/ziatest.md, "The model"): besides the MPI ranks a daemon
// on each node, the launcher and the file system are ranks, so that the same replay times and contends
// everything.
#pragma once
#include <cstdint>

#include "measuring/measurement/launch_times.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline::ziatest {

/// Ranks of a launch's Program: the job's own, a daemon for each of its nodes, the launcher, the file system.
struct LaunchRanks {
  explicit LaunchRanks(const Exchange& exchange) : job(exchange.ranks()), nodes(exchange.nodes) {}
  std::uint32_t daemon(std::uint32_t node) const { return job + node; }
  std::uint32_t launcher() const { return job + nodes; }
  std::uint32_t file_system() const { return job + nodes + 1; }
  std::uint32_t all() const { return job + nodes + 2; }

  std::uint32_t job, nodes;
};

/// The Program of a launch. The end of each Phase is a mark with its number, of start, image and daemon on a
/// node's daemon, of the others on the job's ranks. `job` must fit 32 bits with the ranks that are added.
/// Undefined if a size overflows 63 bits (check_launch).
Program launch_program(const Launch& costs, const LaunchJob& job);

/// `platform` with a node more for the launcher, behind the last of its last machine and like it, one for the
/// file system, and the mapping that a launch has: ranks in blocks on the first nodes, daemons beside them.
Platform launch_platform(const Platform& platform, const Exchange& exchange);

}  // namespace busline::ziatest
