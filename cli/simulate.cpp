// busline simulate: one workload on one platform.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/commands.hpp"
#include "cli/convert_options.hpp"
#include "cli/interval_option.hpp"
#include "cli/job_options.hpp"
#include "cli/load_run_sets.hpp"
#include "cli/simulate_options.hpp"
#include "cli/study.hpp"
#include "cli/workload_options.hpp"
#include "cli/written_workload.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/runs/trace_times.hpp"
#include "models/simulate.hpp"
#include "models/why/explain_run.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/quantity.hpp"
#include "studies/runs/simulate_report.hpp"
#include "studies/timeline/run_timeline.hpp"
#include "validation/compare/run_set_replay.hpp"
#include "workloads/files/unpack.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {
namespace {

struct SimulateArguments {
  std::string platform, workload, run;
  std::vector<std::string> sets;
  std::string model = "dimemas", mapping;
  std::string from, to, time_range;
  std::string timeline, timeline_ranks;
  std::string eager_limit, bandwidth, latency, scheduler;  // Dimemas's own
  bool all_eager = false;
  bool why = false;
  std::uint32_t resolution = 0, interval_runs = 0;
  std::optional<IntervalOptions> interval;  // from interval_runs
  std::vector<std::string> jobs;
  std::string written;  // the jobs as one Program
  bool matrix = false;
  std::uint32_t noise_runs = 0;
  std::int64_t noise_seed = 1;
  WorkloadOptions workload_options;
};

// A quantity in Dimemas's notation for a .cfg, with its unit for a .json.
template <class T, class Dimemas, class WithUnit>
Expected<std::optional<T>> parse_override(const std::string& text, const char* option, bool is_cfg,
                                          Dimemas dimemas, WithUnit with_unit) {
  if (text.empty()) return std::optional<T>();
  if (is_cfg) {
    auto value = dimemas(text, option);
    if (!value) return tl::unexpected(std::move(value.error()));
    return std::optional<T>(*value);
  }
  const auto value = with_unit(text);
  if (value) return std::optional<T>(*value);
  return refuse_option(option,
                       fmt::format("{}: column {}: {}", text, value.error().column, value.error().reason));
}

Expected<LoadOptions> load_options(const SimulateArguments& options) {
  const auto format = platform_format(options.platform);
  if (!format) return tl::unexpected(format.error());
  const bool is_cfg = *format == PlatformFormat::dimemas_cfg;
  LoadOptions load;
  load.sets = options.sets;
  auto& overrides = load.overrides;
  const auto limit = parse_override<Bytes>(options.eager_limit, "-S", is_cfg, parse_dimemas_size,
                                           [](auto& t) { return parse_bytes(t); });
  if (!limit) return tl::unexpected(limit.error());
  overrides.rendezvous_from = *limit;
  const auto bandwidth =
      parse_override<Bandwidth>(options.bandwidth, "--bandwidth", is_cfg, parse_dimemas_bandwidth,
                                [](auto& t) { return parse_bandwidth(t); });
  if (!bandwidth) return tl::unexpected(bandwidth.error());
  overrides.bandwidth = *bandwidth;
  const auto latency = parse_override<Duration>(options.latency, "--latency", is_cfg, parse_dimemas_latency,
                                                [](auto& t) { return parse_duration(t); });
  if (!latency) return tl::unexpected(latency.error());
  overrides.latency = *latency;
  overrides.all_eager = options.all_eager;
  if (!options.scheduler.empty()) overrides.scheduler = options.scheduler;
  return load;
}

// A folder can also name a DUMPI trace, but not a platform.
bool looks_like_a_trace(const std::string& given) {
  const auto path = without_compression(given);
  std::error_code unknown;
  return path.ends_with(".dim") || path.ends_with(".meta") || path.ends_with(".bin") ||
         std::filesystem::is_directory(given, unknown);
}

Expected<Platform> platform_of(const SimulateArguments& options, Diagnostics& diagnostics) {
  const auto load = load_options(options);
  if (!load) return tl::unexpected(load.error());
  auto platform = load_platform(options.platform, *load, diagnostics);
  if (!platform && platform.error().hint.empty() && looks_like_a_trace(options.platform))
    platform.error().hint = "the platform comes first: busline simulate PLATFORM WORKLOAD";
  if (!platform || options.mapping.empty()) return platform;
  auto mapping = parse_mapping(options.mapping);
  if (!mapping) return tl::unexpected(std::move(mapping.error()));
  platform->mapping = std::move(*mapping);
  return platform;
}

Exit exit_of_run(Result::Status status) {
  switch (status) {
    case Result::Status::complete:
      return kDone;
    case Result::Status::interrupted:
      return interrupt_exit().value_or(kInterrupted);
    case Result::Status::deadlock:
    case Result::Status::clock_overflow:
      return kCannotComplete;
  }
  return kBug;
}

// What is simulated, and which part of it.
struct PreparedRun {
  Workload workload;
  Machine machine;
  std::optional<Region> region;
  std::string region_name;
  std::optional<RealRuns> real;
  std::vector<PlacedJob> jobs{};  // with --job, and what they were merged to
  MergedJobs merged{};
};

/// The settings of --timeline, checked before anything is simulated; null without it.
Expected<std::unique_ptr<timeline::RunTimeline>> timeline_of(const SimulateArguments& options,
                                                             const Platform& platform,
                                                             const PreparedRun& prepared) {
  const auto& workload = prepared.workload;
  const auto& region = prepared.region;
  if (options.timeline.empty()) return nullptr;
  // A platform's file name can have the same ending as a timeline's.
  std::error_code not_there;
  if (std::filesystem::equivalent(options.timeline, options.platform, not_there))
    return refuse_option("--timeline", fmt::format("{} is the platform itself", options.timeline));
  timeline::TimelineOptions wanted;
  wanted.path = options.timeline;
  wanted.title = fmt::format("{} on {}", workload.name, platform.name);
  if (!options.timeline_ranks.empty()) {
    auto ranks = parse_ranks(options.timeline_ranks, "--timeline-ranks");
    if (!ranks) return tl::unexpected(std::move(ranks.error()));
    wanted.ranks = std::move(*ranks);
  }
  if (region) {
    wanted.from = region->after;
    wanted.to = region->before;
  }
  for (const auto& placed : prepared.jobs)
    for (std::uint32_t r = 0; r < placed.job.program.ranks(); ++r)
      wanted.rank_names.push_back(fmt::format("{} {}", placed.job.name, r));
  auto made = timeline::RunTimeline::of(wanted, workload.program, prepared.machine);
  if (!made && made.error().path.empty()) made.error().where = "--timeline-ranks";
  return made;
}

/// Writes what it saw. False if it was interrupted on the way; the file does not exist then.
Expected<bool> write_timeline(timeline::RunTimeline& timeline, const Result& result, bool quiet) {
  if (result.status == Result::Status::interrupted && !timeline.failed()) return false;
  ProgressBar bar(!quiet, "writing the timeline");
  return timeline.write(result, [&bar](double share) {
    bar.show(share);
    return !interrupted();
  });
}

Expected<PreparedRun> prepare_workload(const SimulateArguments& options, const Platform& platform,
                                       std::optional<Region> region, Diagnostics& diagnostics) {
  auto workload = load_workload(options.workload, options.workload_options, diagnostics);
  if (!workload) return tl::unexpected(std::move(workload.error()));
  auto machine = place_ranks(platform, workload->program.ranks());
  if (!machine) {
    if (!options.mapping.empty()) machine.error().where = "--mapping";
    return tl::unexpected(std::move(machine.error()));
  }
  if (auto crowded = crowding_warning(platform, *machine)) diagnostics.push_back(*std::move(crowded));
  const auto name = region ? describe(*region) : "";
  return PreparedRun{*std::move(workload), *std::move(machine), std::move(region), name, std::nullopt};
}

Expected<PreparedRun> prepare_jobs(const SimulateArguments& options, const Platform& platform,
                                   std::optional<Region> region, Diagnostics& diagnostics) {
  if (!options.mapping.empty())
    return refuse_option("--mapping", "cannot be combined with --job, which names the nodes", "leave it out");
  if (!options.run.empty())
    return refuse_option("--run", "cannot be combined with --job", "name the program's trace as a job");
  auto all = load_jobs(options.jobs, options.workload_options, diagnostics);
  if (!all) return tl::unexpected(std::move(all.error()));
  auto machine = place_jobs(platform, all->jobs);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  if (!options.written.empty()) {
    if (auto known = check_workload_name(options.written); !known)
      return tl::unexpected(std::move(known.error()));
    Origin origin{{"jobs", all->workload.name}};
    for (const auto& job : options.jobs) origin.push_back({"job", job});
    const auto written = write_workload(all->workload, origin, options.written, diagnostics);
    if (!written) return tl::unexpected(written.error());
  }
  if (auto crowded = crowding_warning(platform, *machine)) diagnostics.push_back(*std::move(crowded));
  const auto name = region ? describe(*region) : "";
  return PreparedRun{std::move(all->workload), *std::move(machine),   std::move(region), name, std::nullopt,
                     std::move(all->jobs),     std::move(all->merged)};
}

// The run itself. A run that is explained is watched, and its jobs beside it.
Expected<ExplainedRun> run_prepared(const PreparedRun& prepared, const Platform& platform,
                                    const SimulateOptions& how, const std::optional<WhyOptions>& why,
                                    std::vector<JobResult>& jobs) {
  const auto& program = prepared.workload.program;
  Expected<ExplainedRun> run;
  if (!prepared.jobs.empty()) {
    JobsOptions wanted;
    wanted.threads = usual_threads();
    auto all = simulate_jobs(prepared.merged, prepared.jobs, platform, prepared.machine, how, wanted);
    if (!all) return tl::unexpected(std::move(all.error()));
    jobs = std::move(all->jobs);
    run = ExplainedRun{std::move(all->result), std::nullopt};
    if (!why) return run;
  }
  if (why) {
    auto unwatched = how;
    if (!prepared.jobs.empty()) unwatched.observers.clear();
    return explain_run(program, platform, prepared.machine, unwatched, *why);
  }
  return simulate(program, platform, prepared.machine, how).map([](Result r) {
    return ExplainedRun{std::move(r), std::nullopt};
  });
}

Expected<std::optional<NoiseRuns>> noise_of(const SimulateArguments& options, const Program& program,
                                            const Platform& platform, const Machine& machine,
                                            SimulateOptions how, bool quiet) {
  NoiseRunsOptions wanted;
  wanted.runs = options.noise_runs;
  wanted.seed = static_cast<std::uint64_t>(options.noise_seed);
  wanted.threads = usual_threads();
  ProgressBar bar(!quiet, "replaying with noise");
  how.progress = [&bar](double share) {
    bar.show(share);
    return !interrupted();
  };
  return noise_runs(program, platform, machine, how, wanted);
}

// As 'busline validate' does it.
Expected<PreparedRun> prepare_run_set(const SimulateArguments& options, const Platform& platform,
                                      std::optional<Region> region, const runs::RunSet& set,
                                      Diagnostics& diagnostics) {
  compare::ReplayOptions how;
  if (!options.mapping.empty()) how.mapping = platform.mapping;
  how.workload = options.workload_options;
  auto replay = compare::prepare_replay(set, platform, how, diagnostics);
  if (!replay) return tl::unexpected(std::move(replay.error()));
  replay->workload.name = set.name;
  PreparedRun all{std::move(replay->workload), std::move(replay->machine), std::move(region), "",
                  std::nullopt};
  if (!options.time_range.empty()) {
    all.region_name = describe(*all.region);
    diagnostics.push_back({.code = "real-runs-not-compared",
                           .message = "the real runs took no times of a --time-range, and are not compared"});
    return all;
  }
  const auto borders = all.region ? runs::Borders{all.region->from, all.region->to} : set.region;
  all.region = Region{.from = borders.from, .to = borders.to};
  all.region_name = to_text(borders);
  std::optional<Duration> traced;
  if (borders != set.region) {
    const auto times = runs::trace_times(runs::trace_path(set), borders);
    if (!times) return tl::unexpected(times.error());
    traced = *std::max_element(times->begin(), times->end());
  }
  const auto real = compare::real_times(set, borders, traced);
  if (!real) return tl::unexpected(real.error());
  all.real = RealRuns{set.machine.name, *real};
  return all;
}

// `report` has the diagnostics until now. The document is printed, or added to `several` if there is such a
// list.
Expected<Exit> simulate_prepared(const SimulateArguments& options, const Platform& platform,
                                 const PreparedRun& prepared, SimulateReport report,
                                 const Invocation& invocation, nlohmann::ordered_json* several = nullptr) {
  const auto& workload = prepared.workload;
  const auto& machine = prepared.machine;
  const auto& region = prepared.region;
  const auto& region_name = prepared.region_name;
  const bool asked_why = options.why || options.resolution > 0;
  const auto starts_later = [](const PlacedJob& of) { return of.job.start > Duration(); };
  if (asked_why && std::any_of(prepared.jobs.begin(), prepared.jobs.end(), starts_later))
    report.diagnostics.push_back({.code = "late-start-on-the-path",
                                  .message = "the time before a job's start counts as waiting for a CPU on "
                                             "the critical path"});
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (const auto stopped = interrupt_exit()) return *stopped;

  const auto timeline = timeline_of(options, platform, prepared);
  if (!timeline) return tl::unexpected(timeline.error());
  SimulateOptions how;
  how.model = options.model;
  how.region = region;
  if (*timeline) how.observers.push_back(timeline->get());
  auto bar = std::make_optional<ProgressBar>(!invocation.quiet, "replaying");
  how.progress = [&](double share) {
    bar->show(share);
    return !interrupted() && !(*timeline && (*timeline)->failed());
  };
  WhyOptions why;
  why.resolution = options.resolution;
  why.threads = usual_threads();
  auto run =
      run_prepared(prepared, platform, how, asked_why ? std::optional(why) : std::nullopt, report.jobs);
  if (!run) return tl::unexpected(std::move(run.error()));
  auto* const result = &run->result;
  bar.reset();
  if (*timeline) {
    const auto written = write_timeline(**timeline, *result, invocation.quiet);
    if (!written) return tl::unexpected(written.error());
    if (!*written) result->status = Result::Status::interrupted;
  }

  auto after = run_warnings(*result, region, region_name);
  auto exit = exit_of_run(result->status);
  // The run was complete, but not its explanation.
  if (asked_why && exit == kDone && !run->why) exit = interrupt_exit().value_or(kDone);
  if (options.interval && result->status == Result::Status::complete) {
    auto interval =
        interval_of(*options.interval, workload.program, platform, machine, how, invocation.quiet);
    if (!interval) return tl::unexpected(std::move(interval.error()));
    report.interval = std::move(*interval);
    if (const auto stopped = interrupt_exit()) {
      exit = *stopped;
      after.push_back({.code = "interrupted", .message = "interrupted before the interval was known"});
    }
  }
  if (options.matrix && result->status == Result::Status::complete && !interrupted()) {
    ProgressBar matrix_bar(!invocation.quiet, "replaying pairs of jobs");
    auto pairs = how;
    pairs.observers.clear();
    pairs.progress = [&](double share) {
      matrix_bar.show(share);
      return !interrupted();
    };
    auto matrix = job_matrix(prepared.jobs, platform, pairs, usual_threads());
    if (!matrix) return tl::unexpected(std::move(matrix.error()));
    report.job_matrix = *std::move(matrix);
    exit = interrupt_exit().value_or(exit);
  }
  if (options.noise_runs > 0 && result->status == Result::Status::complete && !interrupted()) {
    auto noise = noise_of(options, workload.program, platform, machine, how, invocation.quiet);
    if (!noise) return tl::unexpected(std::move(noise.error()));
    report.noise = *std::move(noise);
    exit = interrupt_exit().value_or(exit);
  } else if (options.noise_runs == 0 && !platform.noise.none()) {
    after.push_back(
        {.severity = Diagnostic::Severity::note,
         .code = "quiet",
         .message = "this is the run without the platform's noise; --runs 100 shows how far runs differ"});
  }
  if (!invocation.quiet) print_diagnostics(after);
  report.diagnostics.insert(report.diagnostics.end(), after.begin(), after.end());
  report.workload = workload.name;
  report.platform = platform.name;
  report.model = options.model;
  report.preset = platform.preset;
  report.traced_run_time = workload.program.traced_run_time();
  report.region = region_name;
  report.real = prepared.real;
  report.result = std::move(*result);
  report.why = std::move(run->why);
  if (options.workload_options.dumpi.salvage) report.salvaged = workload.salvaged;
  if (invocation.json) {
    auto inputs = workload.files;
    inputs.insert(inputs.begin(), options.platform);
    if (!options.scheduler.empty()) inputs.push_back(options.scheduler);
    if (several == nullptr) {
      print_document(to_json(report), invocation, inputs);
    } else {
      several->push_back(to_json(report));
      several->back()["provenance"] = to_json(provenance(invocation, inputs));
    }
  } else {
    fmt::print("{}", to_text(report));
  }
  return exit;
}

// One after the other, until one cannot be simulated.
Expected<Exit> simulate_run_sets(const SimulateArguments& options, const Platform& platform,
                                 const std::optional<Region>& region, const std::vector<runs::RunSet>& sets,
                                 Diagnostics diagnostics, const Invocation& invocation) {
  const bool several = sets.size() > 1;
  if (several && !options.timeline.empty()) return refuse_several(sets, "--timeline");
  auto results = nlohmann::ordered_json::array();
  auto worst = kDone;
  for (const auto& set : sets) {
    if (&set != &sets.front() && !invocation.json) fmt::print("\n");
    SimulateReport report;
    report.diagnostics = std::exchange(diagnostics, {});
    const auto prepared = prepare_run_set(options, platform, region, set, report.diagnostics);
    if (!prepared) return tl::unexpected(prepared.error());
    const auto exit = simulate_prepared(options, platform, *prepared, std::move(report), invocation,
                                        several ? &results : nullptr);
    if (!exit || interrupted()) return exit;
    if (*exit != kDone) worst = *exit;
  }
  if (several && invocation.json)
    print_document({{"schema", "busline/results/1"}, {"results", std::move(results)}}, invocation, {});
  return worst;
}

Expected<Exit> run_simulate(SimulateArguments options, const Invocation& invocation) {
  SimulateReport report;
  const auto region = parse_region(options.from, options.to, options.time_range);
  if (!region) return tl::unexpected(region.error());
  const auto interval = interval_options(options.interval_runs);
  if (!interval) return tl::unexpected(interval.error());
  options.interval = *interval;
  if (options.workload.empty() == options.jobs.empty())
    return refuse_option(options.jobs.empty() ? "" : "--job",
                         options.jobs.empty() ? "WORKLOAD is required" : "cannot be combined with a WORKLOAD",
                         "name one workload, or several with --job NAME=TRACE@NODES");
  if (options.matrix && options.jobs.size() < 2)
    return refuse_option("--matrix", "needs two jobs or more", "name them with --job NAME=TRACE@NODES");
  const auto platform = platform_of(options, report.diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  if (options.noise_runs > 0 && platform->noise.none()) {
    const auto refused = noise_runs({}, *platform, {}, {}, {});
    return tl::unexpected(refused.error());
  }
  if (!options.jobs.empty()) {
    const auto jobs = prepare_jobs(options, *platform, *region, report.diagnostics);
    if (!jobs) return tl::unexpected(jobs.error());
    return simulate_prepared(options, *platform, *jobs, std::move(report), invocation);
  }
  const auto sets = choose_run_sets(options.workload, options.run);
  if (!sets) return tl::unexpected(sets.error());
  if (!sets->empty())
    return simulate_run_sets(options, *platform, *region, *sets, std::move(report.diagnostics), invocation);
  const auto prepared = prepare_workload(options, *platform, *region, report.diagnostics);
  if (!prepared) return tl::unexpected(prepared.error());
  return simulate_prepared(options, *platform, *prepared, std::move(report), invocation);
}

}  // namespace

Command add_simulate(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "simulate", "Predict the run time of a workload on a platform",
                  {"busline simulate cluster.json trace.meta",
                   "busline simulate cluster.json trace.meta --set /network/buses=4 --json",
                   "busline simulate cluster.json trace.meta --why --resolution 8",
                   "busline simulate cluster.json trace.meta --interval",
                   "busline simulate cluster.json trace.meta --runs 100 --set /noise/compute/bursts=0.05",
                   "busline simulate cluster.json --job a=a.meta@0-7 --job b=b.meta@8-15,start=1ms --matrix",
                   "busline simulate cluster.json trace.meta --timeline run.prv",
                   "busline simulate cluster.json runs/ --run jacobi",
                   "busline simulate machine.cfg trace.dim -S 32K --latency 1e-5",
                   "busline simulate cluster.json trace.dim --from MPI_Barrier:1 --to MPI_Barrier:-1"});
  const auto options = std::make_shared<SimulateArguments>();
  const auto add = [app](const char* name, std::string& value, const char* type, const std::string& help) {
    return app->add_option(name, value, help)->type_name(type);
  };
  add("PLATFORM", options->platform, "", "The machine: a .json document or a Dimemas .cfg")->required();
  add("WORKLOAD", options->workload, "",
      "A .dim, .otf2, .prv, .goal or .program file, a DUMPI .meta, trace files of SMPI or liballprof, or a "
      "folder with one of these; or run sets, which are compared with their real runs");
  app->add_option(
         "--job", options->jobs,
         "Instead of WORKLOAD: several at once, each on its nodes, such as a=trace.meta@0-3,8; ',start=2ms' "
         "starts it later, ',repeat' repeats it until the others have ended")
      ->type_name("NAME=TRACE@NODES")
      ->allow_extra_args(false);
  add("--write-program", options->written, "FILE", "Write all jobs as one Program file")->needs("--job");
  app->add_flag("--matrix", options->matrix, "Also how much each job slows each other one down");
  add("--run", options->run, "NAME", "Only this program of the run sets");
  app->add_option("--set", options->sets,
                  "Change a member of the platform, such as /network/buses=4; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  std::string models;
  for (const auto& m : model_names())
    models.append(models.empty() ? "" : "; ").append(m.name + ": " + m.description);
  add("--model", options->model, "NAME", models)->capture_default_str();
  add("--mapping", options->mapping, "HOW",
      "Placement of ranks: fill, round-robin, per-node:K, or a node for each rank as 0,0,1,1");
  const std::string part = "Also show the part that ";
  add("--from", options->from, "CALL:N",
      part + "begins when the N-th such call returns (-1: the last), or such a user region is entered");
  add("--to", options->to, "CALL:N", part + "ends when this call is entered, or this user region is left");
  add("--time-range", options->time_range, "A..B", part + "lies between two simulated times, 1ms..2.5ms");
  app->add_flag(
      "--why", options->why,
      "Explain the run time: critical path, advice checked by runs (25 at most), slopes, efficiencies");
  app->add_option(
         "--resolution", options->resolution,
         "Find the resolution of the prediction with K more runs, whose bursts are jittered by 0.1 to 1 %, "
         "and show no more digits than it allows")
      ->type_name("K")
      ->check(CLI::Range(1, 1000));
  add_interval_option(*app, options->interval_runs);
  app->add_option(
         "--runs", options->noise_runs,
         "Also simulate K runs with the platform's noise: how far they differ, and what each kind adds")
      ->type_name("K")
      ->check(CLI::Range(kLeastNoiseRuns, 1'000'000U));
  app->add_option("--seed", options->noise_seed, "Seed of the noise")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
      ->needs("--runs")
      ->capture_default_str();
  add("--timeline", options->timeline, "FILE",
      "Write a timeline: .prv (Paraver), .json (Perfetto), .otf2 (OTF2) or .paje (Paje)");
  add("--timeline-ranks", options->timeline_ranks, "0-3,7",
      "Only these ranks in the timeline, which --time-range also cuts")
      ->needs("--timeline");
  const std::string dimemas = "Dimemas options";
  add("-S", options->eager_limit, "SIZE", "Messages of this size or more wait for the receiver")
      ->group(dimemas);
  app->add_flag("-F", options->all_eager, "No message waits for its receiver")->group(dimemas);
  add("--bandwidth", options->bandwidth, "RATE",
      "Network bandwidth: in 2^20 bytes/s for a .cfg, else with a unit")
      ->group(dimemas);
  add("--latency", options->latency, "TIME", "Network latency: in seconds for a .cfg, else with a unit")
      ->group(dimemas);
  add("-s", options->scheduler, "FILE", "Scheduler file with the cost of a context switch")->group(dimemas);
  add_workload_options(*app, options->workload_options);
  return {app, [options, &invocation] { return run_simulate(*options, invocation); }};
}

}  // namespace busline::cli
