// What kept a process from its CPU, as Linux counts it (docs/how-to/record.md, "Disturbed runs").
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busline::record {

/// Nanoseconds and events; -1: the kernel does not say.
struct KernelCounts {
  std::int64_t waited = -1;     ///< this thread was ready to run, and waited for a CPU
  std::int64_t throttled = -1;  ///< its control groups had used up their CPU time
  std::int64_t preempted = -1;  ///< how often a thread of the process had to leave its CPU
};

/// Since the thread, its control groups and the process began.
KernelCounts kernel_counts();
/// What was added since `before`.
KernelCounts counts_since(const KernelCounts& before);

// ---- the kernel's files

/// In nanoseconds, of /proc/thread-self/schedstat: its second number. Nothing of a kernel that does not count
/// them, where the third, the number of times that the thread ran, is 0.
std::optional<std::int64_t> waited_in(std::string_view schedstat);

/// The files cpu.stat of the groups in /proc/self/cgroup that limit CPU time, and of those that contain
/// these, for versions 1 and 2 of control groups. Not all of them need exist.
std::vector<std::string> throttling_files(std::string_view cgroup);

/// In nanoseconds, of a cpu.stat: throttled_usec (version 2) or throttled_time (version 1).
std::optional<std::int64_t> throttled_in(std::string_view cpu_stat);

}  // namespace busline::record
