// busline validate: predictions against real runs (docs/how-to/validating.md).
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "cli/interval_option.hpp"
#include "cli/load_run_sets.hpp"
#include "cli/platform_of_machine.hpp"
#include "cli/simulate_options.hpp"
#include "cli/validate_measurement.hpp"
#include "cli/workload_options.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/import_options.hpp"
#include "measuring/import/load_measurements.hpp"
#include "models/simulate.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/load_platform.hpp"
#include "studies/accuracy/validation_report.hpp"
#include "validation/compare/traces_from.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

namespace fs = std::filesystem;

struct ValidateArguments {
  std::string platform;
  std::vector<std::string> runs, sets;
  std::string traces, model = "dimemas", mapping, from, to;
  std::string most_spread = "5%", max_error, max_median, baseline, tolerance = "0.5%";
  bool update_baseline = false, details = false;
  std::uint32_t interval_runs = 0;
  WorkloadOptions workload_options;
  measure::ImportOptions imports;
};

// The platform of each run set: the one that was given, or of a folder the one with the machine's name.
class Platforms {
 public:
  explicit Platforms(const ValidateArguments& options) : options_(options) {}

  Expected<const Platform*> of(const runs::RunSet& set, Diagnostics& diagnostics) {
    const auto path = platform_of_machine(options_.platform, set.machine.name,
                                          fmt::format("{}, which ran on {}", set.name, set.machine.name));
    if (!path) return tl::unexpected(path.error());
    const auto known = platforms_.find(*path);
    if (known != platforms_.end()) return &known->second;
    auto platform = load_platform(*path, {.overrides = {}, .sets = options_.sets}, diagnostics);
    if (!platform) return tl::unexpected(std::move(platform.error()));
    return &platforms_.emplace(*path, *std::move(platform)).first->second;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& [path, platform] : platforms_) all.push_back(path);
    return all;
  }

 private:
  const ValidateArguments& options_;
  std::map<std::string, Platform> platforms_;
};

Expected<std::optional<double>> limit(const std::string& text, const char* option) {
  if (text.empty()) return std::optional<double>();
  return parse_share(text, option).map([](double share) { return std::optional<double>(share); });
}

Expected<compare::CompareOptions> compare_options(const ValidateArguments& options) {
  compare::CompareOptions how;
  how.model = options.model;
  how.replay.workload = options.workload_options;
  const auto interval = interval_options(options.interval_runs);
  if (!interval) return tl::unexpected(interval.error());
  how.interval = *interval;
  const auto region = parse_region(options.from, options.to, "");
  if (!region) return tl::unexpected(region.error());
  if (*region) how.region = runs::Borders{(*region)->from, (*region)->to};
  if (!options.mapping.empty()) {
    auto mapping = parse_mapping(options.mapping);
    if (!mapping) return tl::unexpected(std::move(mapping.error()));
    how.replay.mapping = *std::move(mapping);
  }
  return how;
}

// The limits for the predictions.
Expected<ValidationReport> empty_report(const ValidateArguments& options) {
  ValidationReport report;
  if (auto known = check_model(options.model); !known) {
    known.error().where = "--model";
    return tl::unexpected(std::move(known.error()));
  }
  report.model = options.model;
  const auto spread = parse_share(options.most_spread, "--max-spread");
  if (!spread) return tl::unexpected(spread.error());
  report.most_spread = *spread;
  const auto each = limit(options.max_error, "--max-error");
  if (!each) return tl::unexpected(each.error());
  const auto median = limit(options.max_median, "--max-median");
  if (!median) return tl::unexpected(median.error());
  report.limits = {*each, *median};
  if (options.baseline.empty()) return report;
  const auto tolerance = parse_share(options.tolerance, "--tolerance");
  if (!tolerance) return tl::unexpected(tolerance.error());
  report.baseline = BaselineReport{.file = options.baseline, .tolerance = *tolerance, .changes = {}};
  return report;
}

// Run sets, and which of them to compare; `compared` points into the other two.
struct RunSets {
  std::vector<runs::RunSet> timed, traced;
  std::vector<compare::TracedRuns> compared;
};

Expected<RunSets> load_sets(const ValidateArguments& options, Diagnostics& diagnostics) {
  RunSets sets;
  auto timed = load_run_sets(options.runs);
  if (!timed) return tl::unexpected(std::move(timed.error()));
  sets.timed = *std::move(timed);
  if (options.traces.empty()) {
    for (const auto& set : sets.timed) sets.compared.push_back({.timed = &set});
    return sets;
  }
  auto traced = load_traces(options.traces);
  if (!traced) return tl::unexpected(std::move(traced.error()));
  sets.traced = *std::move(traced);
  auto matched = compare::traces_from(sets.traced, sets.timed, diagnostics);
  if (!matched) return tl::unexpected(std::move(matched.error()));
  sets.compared = *std::move(matched);
  return sets;
}

// Adds the comparisons made until the end or an interruption.
Expected<void> compare_all(const std::vector<compare::TracedRuns>& sets, Platforms& platforms,
                           compare::CompareOptions how, const Invocation& invocation,
                           ValidationReport& report) {
  ProgressBar bar(!invocation.quiet, "replaying");
  for (std::size_t i = 0; i < sets.size() && !interrupted(); ++i) {
    how.progress = [&, done = static_cast<double>(i)](double share) {
      bar.show((done + share) / static_cast<double>(sets.size()), sets[i].timed->name);
      return !interrupted();
    };
    Diagnostics news;
    const auto platform = platforms.of(*sets[i].timed, news);
    if (!platform) return tl::unexpected(platform.error());
    how.replay.traces = sets[i].traced;
    auto run = compare::compare_run(*sets[i].timed, **platform, how, news);
    if (!run) return tl::unexpected(std::move(run.error()));
    tell_once(report.diagnostics, std::move(news));
    if (run->status != Result::Status::interrupted) report.runs.push_back(*std::move(run));
  }
  return {};
}

Expected<void> compare_with_baseline(const ValidateArguments& options, ValidationReport& report) {
  const auto now = compare::baseline_of(report.runs, report.judged());
  if (!now) return tl::unexpected(now.error());
  compare::Baseline before;
  std::error_code unknown;
  // A baseline that is written for the first time.
  if (!options.update_baseline || fs::exists(options.baseline, unknown)) {
    auto read = compare::read_baseline(options.baseline);
    if (!read) return tl::unexpected(std::move(read.error()));
    before = *std::move(read);
  }
  report.baseline->changes = compare::changes_since(before, *now, report.baseline->tolerance);
  if (!options.update_baseline) return {};
  report.baseline->updated = true;
  return compare::write_baseline(*now, options.baseline);
}

Exit exit_of_validation(const ValidationReport& report, const std::vector<std::string>& wrong) {
  if (!report.judged().unpredicted.empty()) return kCannotComplete;
  return wrong.empty() ? kDone : kBeyondThreshold;
}

void print_complaints(const std::vector<std::string>& wrong) {
  for (const auto& text : wrong) {
    Error e;
    e.message = text;
    print_error(e);
  }
}

// Options for run sets only.
Expected<void> refuse_for_measurements(const ValidateArguments& options, const std::string& measurement) {
  if (options.runs.size() > 1)
    return refuse_option("RUNS",
                         fmt::format("{} is a measurement, which must be validated alone", measurement));
  const auto why = fmt::format("works on run sets, but {} is a measurement", measurement);
  const ValidateArguments usual;
  for (const auto& [given, name] : {std::pair(!options.max_error.empty(), "--max-error"),
                                    {!options.baseline.empty(), "--baseline"},
                                    {options.most_spread != usual.most_spread, "--max-spread"}})
    if (given) return refuse_option(name, why, "--max-median works on measurements, too");
  for (const auto& [given, name] : {std::pair(!options.mapping.empty(), "--mapping"),
                                    {!options.traces.empty(), "--traces"},
                                    {!options.from.empty(), "--from"},
                                    {!options.to.empty(), "--to"},
                                    {options.interval_runs > 0, "--interval"},
                                    {options.details, "--details"}})
    if (given) return refuse_option(name, why);
  if (options.workload_options == usual.workload_options) return {};
  return refuse_option("options for DUMPI traces",
                       fmt::format("{} is a measurement, which has no traces", measurement));
}

// Options for measurements only.
Expected<void> refuse_for_run_sets(const measure::ImportOptions& imports) {
  if (imports == measure::ImportOptions()) return {};
  return refuse_option(imports.ranks > 0 ? "--ranks" : "--ranks-per-node",
                       "works on result files of other benchmarks",
                       "run sets record where their ranks ran, or use --mapping");
}

// A baseline knows runs by their machine alone. It would take predictions from other traces for worse ones.
Expected<void> refuse_baseline_of_traces(const ValidateArguments& options) {
  if (options.traces.empty() || options.baseline.empty()) return {};
  return refuse_option("--baseline",
                       "records predictions from the runs' own traces, not from those of --traces",
                       "--max-error and --max-median work with --traces, too");
}

Expected<Exit> run_validate(const ValidateArguments& options, const Invocation& invocation) {
  auto report = empty_report(options);
  if (!report) return tl::unexpected(std::move(report.error()));
  if (const auto found = std::find_if(options.runs.begin(), options.runs.end(), measure::holds_measurement);
      found != options.runs.end()) {
    if (auto fits = refuse_for_measurements(options, *found); !fits)
      return tl::unexpected(std::move(fits.error()));
    return validate_measurement(
        {options.platform, *found, options.model, options.sets, options.imports, report->limits.median},
        invocation);
  }
  if (auto fits = refuse_for_run_sets(options.imports); !fits) return tl::unexpected(std::move(fits.error()));
  if (auto fits = refuse_baseline_of_traces(options); !fits) return tl::unexpected(std::move(fits.error()));
  const auto how = compare_options(options);
  if (!how) return tl::unexpected(how.error());
  if (options.update_baseline)
    if (auto writable = check_writable(options.baseline); !writable)
      return tl::unexpected(std::move(writable.error()));
  const auto sets = load_sets(options, report->diagnostics);
  if (!sets) return tl::unexpected(sets.error());
  Platforms platforms(options);
  if (auto done = compare_all(sets->compared, platforms, *how, invocation, *report); !done)
    return tl::unexpected(std::move(done.error()));
  const auto stopped = interrupt_exit();
  if (stopped) {
    report->baseline.reset();  // runs that were not reached do not count as gone
    report->diagnostics.push_back({.code = "interrupted",
                                   .message = fmt::format("interrupted: compared {} of {} run sets",
                                                          report->runs.size(), sets->compared.size())});
  }
  if (report->baseline)
    if (auto done = compare_with_baseline(options, *report); !done)
      return tl::unexpected(std::move(done.error()));
  if (!invocation.quiet) print_diagnostics(report->diagnostics);
  const auto wrong = complaints(*report);
  if (invocation.json) {
    auto inputs = platforms.files();
    for (const auto& r : report->runs) inputs.insert(inputs.end(), r.files.begin(), r.files.end());
    print_document(to_json(*report), invocation, inputs);
  } else {
    fmt::print("{}", to_text(*report, options.details));
  }
  if (stopped) return *stopped;
  print_complaints(wrong);
  return exit_of_validation(*report, wrong);
}

}  // namespace

Command add_validate(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "validate", "Compare predictions with real runs or with a measurement",
                  {"busline validate cluster.json jacobi/",
                   "busline validate cluster.json runs/ --max-error 10% --max-median 5%",
                   "busline validate cluster.json runs/ --details --set /network/sharing=fair",
                   "busline validate cluster.json runs/ --interval",
                   "busline validate platforms/ runs/ --baseline errors.json --update-baseline",
                   "busline validate new-cluster.json new-runs/ --traces old-runs/",
                   "busline validate cluster.json measured.json",
                   "busline validate cluster.json osu-allreduce.txt --ranks 16"});
  const auto options = std::make_shared<ValidateArguments>();
  const auto add = [app](const char* name, auto& value, const char* type, const std::string& help) {
    return app->add_option(name, value, help)->type_name(type);
  };
  add("PLATFORM", options->platform, "",
      "The machine: a .json document, a Dimemas .cfg, or a folder with a NAME.json for each machine")
      ->required();
  add("RUNS", options->runs, "", "Run sets: documents, their folders or parent folders; or one measurement")
      ->required();
  add("--traces", options->traces, "SET",
      "Replay the traces of these run sets, recorded on another machine, instead of those of RUNS");
  add("--set", options->sets, "POINTER=VALUE",
      "Change a member of each platform, such as /network/buses=4; may be repeated")
      ->allow_extra_args(false);
  add("--model", options->model, "NAME", "Model, as in 'busline simulate'")->capture_default_str();
  add("--mapping", options->mapping, "HOW",
      "Placement of ranks instead of the recorded one: fill, round-robin, per-node:K, or a node for each "
      "rank as 0,0,1,1");
  const std::string part = "Instead of the run sets' region, compare with the traced run's ";
  add("--from", options->from, "CALL:N", part + "from where the N-th such call returns (-1: the last)");
  add("--to", options->to, "CALL:N", part + "to where this call is entered");
  app->add_flag("--details", options->details,
                "Show where the time went, by call and rank, predicted and traced");
  add_interval_option(*app, options->interval_runs);
  const std::string judging = "Judging";
  const auto judge = [&](const char* name, auto& value, const char* type, const std::string& help) {
    return add(name, value, type, help)->group(judging);
  };
  judge("--max-spread", options->most_spread, "SHARE",
        "Leave out run sets whose real runs differ by more than this")
      ->capture_default_str();
  judge("--max-error", options->max_error, "SHARE",
        "Exit with code 1 if a counted prediction is off by more");
  judge("--max-median", options->max_median, "SHARE", "Exit with code 1 if the median error is larger");
  auto* baseline = judge("--baseline", options->baseline, "FILE",
                         "Exit with code 1 if an error is larger than recorded in this file");
  judge("--tolerance", options->tolerance, "SHARE",
        "How much larger an error may be, as a share of the run time")
      ->needs(baseline)
      ->capture_default_str();
  app->add_flag("--update-baseline", options->update_baseline,
                "Write the baseline instead of checking against it")
      ->needs(baseline)
      ->group(judging);
  add_workload_options(*app, options->workload_options);
  add_import_options(*app, options->imports);
  return {app, [options, &invocation] { return run_validate(*options, invocation); }};
}

}  // namespace busline::cli
