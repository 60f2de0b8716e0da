// Real runs of one program on one machine: how long each took, and the trace of one more. Predictions are
// checked against them. docs/how-to/record.md lists the members of the document; run_set_json.hpp reads and
// writes it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/provenance.hpp"
#include "measuring/measurement/measurement.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/units.hpp"
#include "sim/program/call_ref.hpp"

namespace busline::runs {

/// What is timed on each rank: from the return of one call to the entry of another. A rank that does not make
/// `from` counts from its start, one that does not make `to` until its end, as in a replay
/// (models/run/region.hpp). No `from`: from the return of MPI_Init; no `to`: to the entry of MPI_Finalize.
struct Borders {
  std::optional<CallRef> from{}, to{};
  bool operator==(const Borders&) const = default;
};

/// "from MPI_Barrier:1 to MPI_Finalize", "from the end of MPI_Init to MPI_Reduce:-3".
std::string to_text(const Borders& borders);

/// What kept ranks from their CPUs between MPI_Init and MPI_Finalize. Each may be unknown: kernels differ in
/// what they count.
struct Disturbance {
  std::optional<Duration> cpu_wait{};        ///< a rank was ready to run, and waited for a CPU
  std::optional<Duration> throttled{};       ///< a control group of a rank had used up its CPU time
  std::optional<std::uint64_t> preempted{};  ///< how often a rank had to leave its CPU
  bool operator==(const Disturbance&) const = default;
};

struct Run {
  std::optional<Duration> time{};      ///< the longest of all ranks; none: the run failed
  std::vector<Duration> rank_times{};  ///< by rank; may be left out
  std::optional<Duration> wall{};      ///< from the start of the launcher to its end
  int exit_code = 0;                   ///< the launcher's; 128 + N if signal N ended it
  /// Times of the rank with the longest, and the sum of all that were preempted.
  Disturbance disturbance{};
  bool operator==(const Run&) const = default;
};

/// The run that was traced. Its times come from the trace.
struct TracedRun {
  Run run;
  std::string trace{};  ///< a .meta file, or a folder with one: absolute, or inside RunSet::folder
  bool operator==(const TracedRun&) const = default;
};

/// A variable of the environment.
struct Variable {
  std::string name, value;
  bool operator==(const Variable&) const = default;
};

struct RunSet {
  std::string name{};                  ///< of the program, for tables
  std::vector<std::string> command{};  ///< as it was started
  std::uint32_t ranks = 0;
  measure::MeasuredMachine machine{};           ///< as in measurements of it
  std::vector<measure::RankPlace> placement{};  ///< by rank; may be left out
  Borders region{};
  std::vector<Run> runs{};  ///< in the order in which they were made, those that failed too
  std::optional<TracedRun> traced{};
  std::vector<Variable> environment{};  ///< what changes how programs run: MPI's settings, the job
  Provenance provenance{};
  std::string folder{};  ///< where it was read from; not in the document
  bool operator==(const RunSet&) const = default;
};

/// Where the trace is. There must be one.
std::string trace_path(const RunSet& set);

/// The times of the runs that did not fail.
std::vector<Duration> times_of(const RunSet& set);

/// A run may be delayed by as much as the times of runs may differ (--max-spread of 'busline validate').
inline constexpr double kMostDisturbance = 0.05;

/// Whether a rank waited for a CPU or was throttled for more than kMostDisturbance of the time of the run.
/// Nothing if the run failed, or neither is known.
std::optional<bool> is_disturbed(const Run& run);

/// How many of the runs that did not fail were. Nothing if that is not known of all.
std::optional<std::uint64_t> disturbed_runs(const RunSet& set);

/// How far times lie apart.
struct Spread {
  Duration least, median, most;  ///< of an even number of times the mean of the middle two
  /// (most - least) / median; 0 if that is 0.
  double relative() const;
  bool operator==(const Spread&) const = default;
};
/// Nothing of no times.
std::optional<Spread> spread_of(std::vector<Duration> times);

}  // namespace busline::runs
