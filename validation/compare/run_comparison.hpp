// A prediction against real runs: how far off it is, and in which calls. docs/how-to/validating.md says what
// the figures mean.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "models/interval/prediction_interval.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/results/result.hpp"
#include "validation/compare/run_set_replay.hpp"

namespace busline::compare {

struct CompareOptions {
  std::string model = "dimemas";
  /// In place of the run set's. Only the traced run can be timed there, from its trace.
  std::optional<runs::Borders> region{};
  ReplayOptions replay{};
  std::optional<IntervalOptions> interval{};  ///< also find RunComparison::interval
  std::function<bool(double)> progress{};     ///< the share of a replay; false interrupts it
};

/// The time of a rank in calls of one name.
struct CallTime {
  std::string call;
  Duration predicted, traced;
  Duration difference() const { return predicted - traced; }
  bool operator==(const CallTime&) const = default;
};

/// A rank in the region. What is not in calls is computation, and waiting for a CPU to compute on.
struct RankCalls {
  Duration predicted, traced;   ///< the region's length on this rank
  std::vector<CallTime> calls;  ///< by name, those that took time in one or the other
};

struct RunComparison : RealTimes {
  std::string platform, machine, program;
  std::vector<std::string> command;
  std::uint32_t ranks = 0;
  runs::Borders region;
  std::optional<std::string> traced_on;  ///< the machine of ReplayOptions::traces
  /// The time of the region in the set's own traced run; nothing if the set has no trace of its own.
  std::optional<Duration> traced_time;

  Result::Status status = Result::Status::complete;
  std::vector<BlockedRank> blocked;  ///< of a deadlock
  Duration predicted;                ///< meaningful if complete
  /// A prediction with another explanation of the platform's measurements.
  struct Alternative {
    std::string explanation;  ///< "links and buses as /nodes/0/links=2, /network/buses=4"
    Duration predicted;
  };
  std::vector<Alternative> alternatives;       ///< those that complete; likewise
  std::optional<PredictionInterval> interval;  ///< if it was asked for; likewise
  std::vector<RankCalls> rank_calls;           ///< of a complete replay, by rank; empty without a traced_time
  std::vector<std::string> files;              ///< of the trace that was replayed

  bool predicted_at_all() const { return status == Result::Status::complete; }
  double error() const { return error_of(predicted); }
  /// Whether the measured median lies in the prediction's interval, which must be there.
  bool inside() const;
};

/// Replays the trace of `set`, or of ReplayOptions::traces, on `platform`, and sets it against the times of
/// the runs of `set` that were not traced. The times of calls are set against the traced run of `set` in
/// either case: it ran on the machine that is predicted. Errors: those of prepare_replay, real_times and the
/// reader. A replay that cannot continue is not an error (RunComparison::status).
Expected<RunComparison> compare_run(const runs::RunSet& set, const Platform& platform,
                                    const CompareOptions& options, Diagnostics& diagnostics);

/// A call over all ranks: how far its mean time is off, and on which rank it is most.
struct CallDifference {
  std::string call;              ///< kOutside for what is not in calls
  Duration predicted, traced;    ///< means over ranks
  std::uint32_t worst_rank = 0;  ///< where the difference is largest, the first of them
  Duration worst;                ///< the difference there
  Duration difference() const { return predicted - traced; }
};
/// The name of what is not in calls.
inline constexpr const char* kOutside = "(outside of MPI)";
/// Largest difference of the means first, by size, then by name.
std::vector<CallDifference> call_differences(const RunComparison& run);

}  // namespace busline::compare
