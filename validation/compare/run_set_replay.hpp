// A run set as a replay needs it: its trace, its ranks on the nodes of a platform, and how long its real runs
// took.
#pragma once
#include <cstdint>
#include <optional>

#include "measuring/runs/run_set.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/replay/machine.hpp"
#include "workloads/load_workload.hpp"

namespace busline::compare {

struct ReplayOptions {
  std::optional<Mapping> mapping{};  ///< where ranks sit; else where they sat, else as the platform says
  WorkloadOptions workload{};
  /// The run set whose trace is replayed in place of the set's own; not owned.
  const runs::RunSet* traces = nullptr;
};

struct RunSetReplay {
  Workload workload;
  Machine machine;
};

/// The trace of `set`, or of ReplayOptions::traces, and the ranks of `set` on `platform`. Errors: no trace; a
/// trace of another number of ranks; ranks that ran on more nodes than the platform has, or on nodes with
/// more CPUs than it gives them; those of the reader.
Expected<RunSetReplay> prepare_replay(const runs::RunSet& set, const Platform& platform,
                                      const ReplayOptions& options, Diagnostics& diagnostics);

/// Refuses a trace of another number of ranks than the runs had.
Expected<void> check_ranks(const runs::RunSet& set, const std::string& trace, std::size_t ranks);

/// Where the measured times are from.
enum class MeasuredIn { runs, trace };

/// How long a region took on the real machine.
struct RealTimes {
  MeasuredIn measured_in = MeasuredIn::runs;
  std::uint64_t runs = 0, failed_runs = 0;  ///< that were timed; that were not, because they failed
  runs::Spread measured;
  std::optional<std::uint64_t> disturbed_runs{};  ///< of those that were timed; nothing if not known
  /// predicted / median - 1: above 0 the prediction is too long.
  double error_of(Duration predicted) const;
  /// (most - least) / median; nothing of a single run.
  std::optional<double> spread() const;
};

/// The times of the runs of `set` that were not traced. Of another region than the set's only the traced run
/// has a time: `traced`, if there is one. Errors: no run was timed; another region without a traced time; a
/// region of zero length.
Expected<RealTimes> real_times(const runs::RunSet& set, const runs::Borders& region,
                               std::optional<Duration> traced);

}  // namespace busline::compare
