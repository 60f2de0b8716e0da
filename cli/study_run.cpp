// busline study run: simulates the points that are not stored yet.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/study.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "studies/study/run_in_team.hpp"
#include "studies/study/run_point.hpp"
#include "studies/study/run_study.hpp"
#include "studies/study/study_report.hpp"

namespace busline::cli {
namespace {

constexpr std::uint64_t kRowsShown = 50;

struct StudyRunArguments {
  std::string file, output, slice;
  StudyOptions study;
  unsigned threads = usual_threads();
  bool resume = false, dry_run = false, retry = false, why = false;
};

Expected<Slice> parse_slice(const std::string& text) {
  if (text.empty()) return Slice{};
  const auto bar = std::min(text.find('/'), text.size());
  const auto part = whole_number<std::uint64_t>(text.substr(0, bar));
  const auto parts =
      whole_number<std::uint64_t>(std::string_view(text).substr(std::min(bar + 1, text.size())));
  if (!part || !parts || *part == 0 || *part > *parts)
    return refuse_option(
        "--slice", fmt::format("'{}': expected a part and the number of parts", text),
        "such as 1/4; in a Slurm array of 4 use --slice $SLURM_ARRAY_TASK_ID/4 with --array=1-4");
  return Slice{*part, *parts};
}

bool says_what(const StudyOptions& o) {
  return !o.platform.empty() || !o.workload.empty() || !o.sets.empty() || !o.axes.empty() ||
         !o.model.empty() || !o.mapping.empty() || !o.combine.empty() || o.samples > 0;
}

// The study recorded in a results file.
Expected<Study> stored_study(const std::string& path) {
  const auto store = Store::open(path, Store::Mode::read);
  if (!store) return tl::unexpected(store.error());
  const auto known = store->study();
  if (!known) return tl::unexpected(known.error());
  if (!*known)
    return refuse_option("--resume", fmt::format("{} does not contain a study yet", path),
                         "name one: busline study run FILE");
  return parse_study((*known)->document, path, (*known)->folder);
}

Expected<Study> study_of(const StudyRunArguments& options) {
  if (options.resume && options.output.empty())
    return refuse_option("--resume", "expected the results file to continue",
                         "busline study run --resume -o FILE");
  const bool without_file = says_what(options.study);
  if (!options.file.empty() && without_file)
    return refuse_option("STUDY", "cannot be combined with options that say what to simulate",
                         "put those settings into the file, or leave the file out");
  if (!options.file.empty()) return read_study(options.file);
  if (!without_file && options.resume) return stored_study(options.output);
  if (options.study.platform.empty() || options.study.workload.empty())
    return refuse_option("STUDY", "expected a study document, or --platform and --workload",
                         "busline study run --platform P --workload W --axis /network/buses=1,2,4");
  return make_study(options.study);
}

// The number of points, their values, and an estimate of their time from the first one.
Expected<Exit> tell_points(const Cases& cases, const Slice& slice, const StudyRunArguments& options,
                           const Invocation& invocation) {
  const auto count = slice.count(cases.points().count());
  if (invocation.json) {
    print_document(points_json(cases, slice), invocation, cases.files());
    return kDone;
  }
  const auto shown = std::min(count, kRowsShown);
  auto text = fmt::format("{}: {}\n", cases.study().name, readable(count, "point"));
  for (std::uint64_t i = 0; i < shown; ++i) {
    const auto point = slice.point(i);
    text += fmt::format("  {}:", point);
    const auto values = cases.points().at(point);
    for (std::size_t a = 0; a < values.size(); ++a)
      if (const auto& axis = cases.points().axes()[a]; axis.varies())
        text += fmt::format(" {} = {}", axis.label, values[a].name);
    text += '\n';
  }
  if (shown < count)
    text += fmt::format("  ... and {} more; --json lists them all\n", readable(count - shown));
  fmt::print("{}", text);
  WorkloadPool workloads;
  const auto c = cases.at(slice.point(0));
  if (count == 0 || !c) return kDone;
  const auto started = std::chrono::steady_clock::now();
  const auto outcome = run_point(*c, workloads, {cases.study().timeout, interrupted});
  if (!outcome) return interrupt_exit().value_or(kDone);
  const std::chrono::nanoseconds one = std::chrono::steady_clock::now() - started;
  fmt::print("the first took {}, so all take about {} on {} threads\n", readable(one),
             readable(one * static_cast<std::int64_t>(count) / options.threads), options.threads);
  return kDone;
}

Expected<Store> open_store(const StudyRunArguments& options, const Cases& cases) {
  std::error_code unknown;
  if (options.resume && !std::filesystem::exists(options.output, unknown))
    return refuse_option("--resume", fmt::format("{} does not exist", options.output),
                         "leave out --resume to create it");
  auto store = Store::open(options.output.empty() ? ":memory:" : options.output, Store::Mode::create);
  if (!store) return store;
  if (auto begun = store->begin(stored(cases.study(), cases.points().count())); !begun)
    return tl::unexpected(std::move(begun.error()));
  return store;
}

Exit exit_of_study(const StudyProgress& done) {
  if (done.interrupted) return interrupt_exit().value_or(kInterrupted);
  if (done.stored < done.points) return kCannotComplete;  // all processes that could run the rest have left
  return done.stored > 0 && done.failed == done.stored ? kCannotComplete : kDone;
}

// The common work of all processes of a team.
struct Prepared {
  Cases cases;
  Slice slice;
};
Expected<Prepared> prepare(const StudyRunArguments& options, WorkloadPool& workloads,
                           Diagnostics& diagnostics) {
  const NothingToKeep reading;  // large traces are hashed for a while
  const auto slice = parse_slice(options.slice);
  if (!slice) return tl::unexpected(slice.error());
  auto study = study_of(options);
  if (!study) return tl::unexpected(std::move(study.error()));
  if (options.why) ask_why(*study);
  if (auto asked = ask_comparison(*study, options.study); !asked)
    return tl::unexpected(std::move(asked.error()));
  auto cases = Cases::of(*std::move(study), diagnostics);
  if (!cases) return tl::unexpected(std::move(cases.error()));
  // Reports a misspelt name before creating a results file.
  if (slice->count(cases->points().count()) > 0 && !options.dry_run) {
    const auto first = cases->at(slice->point(0));  // its error is stored with the others
    const auto found = first ? workloads.deciding_text(first->workload) : Expected<std::string>();
    if (!found) return tl::unexpected(found.error());
  }
  return Prepared{*std::move(cases), *slice};
}

RunStudyOptions how_to_run(const StudyRunArguments& options, const Slice& slice) {
  RunStudyOptions how;
  how.threads = options.threads;
  how.slice = slice;
  how.retry = options.retry;
  how.program = version_and_commit();
  how.stop = interrupted;
  return how;
}

Exit follow(Team& team, const StudyRunArguments& options) {
  Diagnostics told_by_rank_0;
  WorkloadPool workloads;
  const auto prepared = prepare(options, workloads, told_by_rank_0);
  if (prepared)
    follow_leader(team, prepared->cases, workloads, how_to_run(options, prepared->slice));
  else
    cannot_follow(team, prepared.error());
  return kDone;
}

Expected<Exit> show_study(const Store& store, const Cases& cases, const Diagnostics& diagnostics,
                          const StudyRunArguments& options, const Invocation& invocation) {
  if (invocation.json) {
    auto document = study_json(store);
    if (!document) return tl::unexpected(std::move(document.error()));
    auto inputs = cases.files();
    if (!options.file.empty()) inputs.insert(inputs.begin(), options.file);
    (*document)["diagnostics"] = to_json(diagnostics);
    print_document(*std::move(document), invocation, inputs);
    return kDone;
  }
  const auto text = study_text(store, {.rows = kRowsShown});
  if (!text) return tl::unexpected(text.error());
  fmt::print("{}", *text);
  if (!options.output.empty()) fmt::print("results written to {}\n", options.output);
  return kDone;
}

Expected<Exit> run_study_run(const StudyRunArguments& options, const Invocation& invocation) {
  const auto team = join_team();
  if (!team) return tl::unexpected(team.error());
  if (*team && (*team)->rank() > 0) return follow(**team, options);
  std::optional<TeamLeader> leader;
  if (*team) leader.emplace(**team);

  Diagnostics diagnostics;
  WorkloadPool workloads;
  const auto prepared = prepare(options, workloads, diagnostics);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto& [cases, slice] = *prepared;
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (options.dry_run) return tell_points(cases, slice, options, invocation);
  auto store = open_store(options, cases);
  if (!store) return tl::unexpected(std::move(store.error()));

  auto how = how_to_run(options, slice);
  ProgressBar bar(!invocation.quiet, "simulating");
  how.progress = [&bar](const StudyProgress& p) {
    auto text = fmt::format("{} of {}", readable(p.stored), readable(p.points, "point"));
    if (p.failed > 0) text += fmt::format(", {} failed", p.failed);
    bar.show(static_cast<double>(p.stored) / static_cast<double>(std::max<std::uint64_t>(p.points, 1)), text);
  };
  const auto done = leader ? leader->run(cases, *store, how) : run_study(cases, workloads, *store, how);
  if (!done) return tl::unexpected(done.error());
  auto after = workloads.diagnostics();
  for (const auto& absent : done->absent)
    after.push_back(
        {.code = "absent", .message = fmt::format("process {} left: {}", absent.rank, absent.reason)});
  if (!invocation.quiet) print_diagnostics(after);
  diagnostics.insert(diagnostics.end(), after.begin(), after.end());
  if (auto shown = show_study(*store, cases, diagnostics, options, invocation); !shown) return shown;
  return exit_of_study(*done);
}

}  // namespace

Command add_study_run(CLI::App& study, Invocation& invocation) {
  auto* app = new_command(
      study, invocation, "run", "Simulate all points of a study that are not stored yet",
      {"busline study run buses.json -o results.sqlite",
       "busline study run --platform cluster.json --workload trace.meta --axis "
       "/network/buses=1,2,4,unlimited",
       "busline study run --platform cluster.json --workload trace.meta --axis /model=dimemas,ideal "
       "--axis '/network/latency=1us..1ms:7:log'",
       "busline study run --resume -o results.sqlite -j 8",
       "busline study run --platform cluster.json --workload hpcg/ --axis /workload=hpcg/,milc/ "
       "--axis /network/buses=1,2,4 --base /network/buses=2 --weight hpcg=3",
       "mpirun -n 64 busline study run buses.json -o results.sqlite   # rank 0 stores, the others simulate",
       "busline study run buses.json --slice 2/10 -o part-2.sqlite"});
  const auto options = std::make_shared<StudyRunArguments>();
  const auto add = [app](const char* name, auto& value, const char* type, const std::string& help) {
    return app->add_option(name, value, help)->type_name(type);
  };
  add("STUDY", options->file, "", "A study document (.json)");
  add("-o,--output", options->output, "FILE", "Results file (SQLite); points stored in it are not run again");
  add("-j,--threads", options->threads, "N", "Points to simulate at a time (default: all cores)")
      ->check(CLI::Range(1U, 4096U));
  app->add_flag("--resume", options->resume, "Continue the study in the results file");
  app->add_flag("--retry", options->retry, "Rerun points that timed out or failed");
  app->add_flag("--why", options->why, "Also store each run's slopes and the parts of its critical path");
  app->add_flag("--dry-run", options->dry_run, "List the points and estimate how long they take");
  add("--slice", options->slice, "I/N", "Only every N-th point, starting with the I-th");
  add_study_options(*app, options->study);
  add_comparison_options(*app, options->study);
  const std::string group = "What to simulate";
  add("--combine", options->study.combine, "HOW", "product (default), zip, random or latin")->group(group);
  add("--samples", options->study.samples, "N", "Number of points for random and latin")->group(group);
  add("--seed", options->study.seed, "N", "Seed for random and latin")->group(group)->capture_default_str();
  add("--timeout", options->study.timeout, "TIME", "Give up a point that takes longer, such as 60s")
      ->group(group);
  return {app, [options, &invocation] { return run_study_run(*options, invocation); }};
}

}  // namespace busline::cli
