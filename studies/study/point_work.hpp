// The work for a point of a study, whether in a thread or in another process.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "studies/study/case.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/run_point.hpp"
#include "studies/study/workload_pool.hpp"

namespace busline {

/// How simulations ended that are stored, by id.
using KnownOutcomes = std::unordered_map<std::string, Outcome::Status>;

struct FinishedPoint {
  PointOutcome point;
  bool simulated = true;  ///< false: its outcome was stored before, and only the point is new
};

/// Used by several threads at once. Cases and workloads must outlive it.
class PointWork {
 public:
  PointWork(const Cases& cases, WorkloadPool& workloads, KnownOutcomes known, std::string program, bool retry,
            PointLimits limits)
      : cases_(cases),
        workloads_(workloads),
        known_(std::move(known)),
        program_(std::move(program)),
        retry_(retry),
        limits_(std::move(limits)) {}

  /// Nothing if it was interrupted; all else that can happen is an outcome.
  std::optional<FinishedPoint> run(std::uint64_t point) const;
  bool stopped() const { return limits_.stop(); }

 private:
  FinishedPoint without_case(std::uint64_t point, const Error& error) const;
  std::optional<FinishedPoint> finish(std::uint64_t point) const;

  const Cases& cases_;
  WorkloadPool& workloads_;
  const KnownOutcomes known_;
  const std::string program_;
  const bool retry_;
  const PointLimits limits_;
};

}  // namespace busline
