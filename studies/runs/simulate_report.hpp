// The output of 'busline simulate' for a run: a page of text, or the document
// studies/schema/result.schema.json.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "models/interval/noise_runs.hpp"
#include "models/interval/prediction_interval.hpp"
#include "models/jobs/simulate_jobs.hpp"
#include "models/run/simulate_options.hpp"
#include "models/why/explain_run.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/results/result.hpp"
#include "validation/compare/run_set_replay.hpp"
#include "workloads/salvage/salvage_report.hpp"

namespace busline {

/// What a run set says about the region that was simulated.
struct RealRuns {
  std::string machine;  ///< on which they ran
  compare::RealTimes times;
};

struct SimulateReport {
  std::string workload, platform;  ///< their names
  std::string model;
  Preset preset = Preset::published;
  std::optional<Duration> traced_run_time;
  std::string region;            ///< what was asked for, as a person would say it; empty: the whole run only
  std::optional<RealRuns> real;  ///< with a run set, of the region
  Result result;
  std::optional<Why> why;                      ///< if that was asked for
  std::optional<PredictionInterval> interval;  ///< likewise
  std::optional<NoiseRuns> noise;              ///< with --runs
  std::vector<JobResult> jobs;                 ///< with --job
  std::optional<JobMatrix> job_matrix;         ///< with --job and --matrix
  std::optional<SalvageReport> salvaged;       ///< if that was asked for
  Diagnostics diagnostics;
};

/// Integers in picoseconds and bytes, the same bytes for the same run. Provenance is the caller's to add.
nlohmann::ordered_json to_json(const SimulateReport& report);
/// A human-readable page: run time, where the ranks' time went, how busy links and buses were, who is
/// blocked.
std::string to_text(const SimulateReport& report);

/// What a reader of a run must know: collectives that are faster than the links of their nodes allow, and a
/// region in which nothing happened, which `name` says in words.
Diagnostics run_warnings(const Result& result, const std::optional<Region>& region, const std::string& name);

/// How well a run uses its CPUs: parallel = load balance * communication, each 1 at best.
struct Efficiency {
  double parallel = 0;       ///< mean computing time / run time
  double load_balance = 0;   ///< mean / largest computing time
  double communication = 0;  ///< largest computing time / run time
};
/// Nothing if the run took or computed nothing.
std::optional<Efficiency> efficiency(const Result& result);

/// The share of `run_time` that the resource's servers were busy, on average; 0 if it has no limit.
double utilisation(const ResourceResult& resource, Time run_time);

/// Resources of one kind, the nodes taken together: "node 3/links out" and "node 4/links out" are "links
/// out".
struct ResourceClass {
  std::string name;
  std::uint64_t groups = 0;                          ///< how many there are of this kind
  std::uint64_t capacity = 0;                        ///< of one; 0: unlimited, or not the same for all
  double mean_utilisation = 0, max_utilisation = 0;  ///< busy time / (capacity * run time); 0 if unlimited
  Duration wait;                                     ///< of all messages that queued there
  std::uint64_t messages = 0;
  std::uint64_t peak_queue = 0;
};
std::vector<ResourceClass> resource_classes(const Result& result);

}  // namespace busline
