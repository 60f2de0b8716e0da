// Runs one point of a study.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "studies/study/case.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/workload_pool.hpp"

namespace busline {

/// Digest of everything that determines the outcome of `c`: platform, workload, model, whether it asks why,
/// and which `program` simulates it. An Error if a file cannot be read.
Expected<std::string> point_id(const Case& c, WorkloadPool& workloads, const std::string& program);

struct PointLimits {
  std::optional<Duration> stop_after;  ///< of wall-clock time, from the start of the simulation
  std::function<bool()> stop;          ///< Polled from time to time: true interrupts the point
};

/// Nothing if it was interrupted; all else that can happen is an Outcome. `program` and `wall_s` are the
/// caller's to fill in. A trace that is being read is not interrupted.
std::optional<Outcome> run_point(const Case& c, WorkloadPool& workloads, const PointLimits& limits);

}  // namespace busline
