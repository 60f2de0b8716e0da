#include "measuring/harness/record.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/json_document.hpp"
#include "measuring/runs/program_list.hpp"
#include "measuring/runs/recording.hpp"
#include "measuring/runs/run_set_json.hpp"
#include "measuring/tables/run_set_report.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

namespace fs = std::filesystem;

struct RecordArguments {
  runs::RecordingOptions recording;
  std::string from, to, limit, list;
  bool no_trace = false, append = false, again = false;
};

// Beside this program, as it is built, or in the lib folder beside its own, as it is installed.
Expected<std::string> find_library(const std::string& given, const char* option, const char* name) {
  std::error_code unknown;
  const auto here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  std::vector<fs::path> places{given};
  if (given.empty())
    places = {here / name, here.parent_path() / "lib" / name, here.parent_path() / "lib64" / name};
  for (const auto& place : places)
    if (fs::is_regular_file(place, unknown)) return fs::absolute(place).lexically_normal().string();
  return refuse_option(option, fmt::format("{}: no such file", places.front().string()),
                       fmt::format("expected the path of {}, built with the program's MPI library", name));
}

Expected<std::optional<CallRef>> border(const std::string& text, const std::string& option, bool is_end) {
  if (text.empty()) return std::optional<CallRef>();
  auto call = parse_call_ref(text);
  if (!call)
    return refuse_option(option,
                         fmt::format("'{}': expected a call and its number, negative from the end", text),
                         "such as MPI_Barrier:1 or MPI_Reduce:-3");
  if (auto ok = runs::check_border(call, option, is_end); !ok) return tl::unexpected(std::move(ok.error()));
  return call;
}

Expected<runs::RecordingOptions> recording_options(const RecordArguments& options) {
  auto recording = options.recording;
  recording.trace = !options.no_trace;
  if (options.append) recording.earlier = runs::Earlier::appended_to;
  auto from = border(options.from, "--from", false);
  if (!from) return tl::unexpected(std::move(from.error()));
  auto to = border(options.to, "--to", true);
  if (!to) return tl::unexpected(std::move(to.error()));
  recording.region = {*std::move(from), *std::move(to)};
  // A replayed region without an end reaches to that of the last rank, which waits for all in MPI_Finalize.
  if (recording.region.from && !recording.region.to) recording.region.to = CallRef{"MPI_Finalize", 1};
  if (!options.limit.empty()) {
    const auto limit = parse_duration(options.limit);
    if (!limit || *limit == Duration())
      return refuse_option("--timeout", fmt::format("'{}': expected a time above 0", options.limit),
                           "such as 300s");
    recording.limit = *limit;
  }
  auto times = find_library(recording.times_library, "--times-library", "libbusline-times.so");
  if (!times) return tl::unexpected(std::move(times.error()));
  recording.times_library = *std::move(times);
  if (!recording.trace) return recording;
  auto tracer = find_library(recording.tracer, "--tracer", "libbusline-dumpi.so");
  if (!tracer) return tl::unexpected(std::move(tracer.error()));
  recording.tracer = *std::move(tracer);
  return recording;
}

void warn_of_spread(const runs::RunSet& set) {
  const auto spread = runs::spread_of(runs::times_of(set));
  if (!spread || spread->relative() <= kWideSpread) return;
  print_diagnostics(
      {{Diagnostic::Severity::warning, "wide-spread",
        fmt::format("the times lie {:.1f} % apart: pin the ranks (--pin), keep other programs away, or "
                    "add runs",
                    spread->relative() * 100)}});
}

// `made`: whether there was anything to do.
Expected<runs::RunSet> record(runs::RecordingOptions recording, const Invocation& invocation, bool& made) {
  ProgressBar bar(!invocation.quiet, recording.name.empty() ? "running" : "running " + recording.name);
  recording.tell = [&](double share) {
    made = true;
    bar.show(share);
  };
  return runs::record_runs(recording);
}

// One after the other. Those that fail are reported, and the others recorded all the same.
Expected<Exit> record_all(const runs::RecordingOptions& common,
                          const std::vector<runs::ListedProgram>& programs, const Invocation& invocation) {
  auto worst = kDone;
  for (const auto& program : programs) {
    auto recording = common;
    recording.name = program.name;
    recording.command = program.command;
    recording.folder = (fs::path(common.folder) / program.name).string();
    bool made = false;
    auto set = record(recording, invocation, made);
    if (set && !invocation.quiet) {
      if (&program != &programs.front()) fmt::print("\n");
      if (made && set->ranks > 0) fmt::print("{}", to_text(*set));
      if (!made && !interrupted()) fmt::print("{}: kept, it is complete\n", program.name);
      if (made) warn_of_spread(*set);
    }
    if (const auto stopped = interrupt_exit()) return *stopped;
    if (set) continue;
    if (set.error().where.empty()) set.error().where = program.name;
    print_error(set.error());
    worst = exit_code(set.error().kind);
  }
  return worst;
}

// The command or the list, and nothing that is for the other.
Expected<void> check_what(const RecordArguments& options, const Invocation& invocation) {
  const auto& recording = options.recording;
  if (options.list.empty()) {
    if (options.again)
      return refuse_option("--again", "is for --list", "--append adds runs to one program's");
    if (recording.command.empty())
      return refuse_option("COMMAND", "expected the command of a program",
                           "put it after --, or name a file with several commands by --list");
    return {};
  }
  if (!recording.command.empty()) return refuse_option("--list", "cannot be combined with a command");
  if (options.append)
    return refuse_option("--append", "cannot be combined with --list",
                         "with a larger -n, --list adds the runs that are missing");
  if (!recording.name.empty())
    return refuse_option("--name", "cannot be combined with --list", "the list has the names");
  if (invocation.json)
    return refuse_option("--json", "cannot be combined with --list",
                         "each program's run-set.json is its document");
  return {};
}

Expected<Exit> run(const RecordArguments& options, const Invocation& invocation) {
  if (auto fits = check_what(options, invocation); !fits) return tl::unexpected(std::move(fits.error()));
  auto recording = recording_options(options);
  if (!recording) return tl::unexpected(std::move(recording.error()));
  recording->go_on = [] { return !interrupted(); };
  recording->provenance = [&] {
    auto p = provenance(invocation, {});
    p.tool = "busline-measure";
    return p;
  };
  if (!options.list.empty()) {
    const auto programs = runs::read_program_list(options.list);
    if (!programs) return tl::unexpected(programs.error());
    recording->earlier = options.again ? runs::Earlier::replaced : runs::Earlier::completed;
    return record_all(*recording, *programs, invocation);
  }
  bool made = false;
  const auto set = record(*recording, invocation, made);
  if (!set) return tl::unexpected(set.error());
  if (set->ranks == 0) return interrupt_exit().value_or(kDone);  // before the first run had ended
  if (invocation.json)
    fmt::print("{}", document_text(runs::to_json(*set)));
  else if (!invocation.quiet)
    fmt::print("{}", to_text(*set));
  if (!invocation.quiet) warn_of_spread(*set);
  return interrupt_exit().value_or(kDone);
}

}  // namespace

Command add_measure_record(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(
      program, invocation, "record",
      "Run a program several times and trace it once, to check predictions against",
      {"busline-measure record -o jacobi -- mpirun -n 8 {} ./jacobi",
       "busline-measure record --from MPI_Barrier:1 --to MPI_Reduce:-3 -- srun -n 64 {} ./app in.txt",
       "busline-measure record --list programs.txt --pin -o runs",
       "busline-measure record --append -n 10 --no-trace -o jacobi -- mpirun -n 8 {} ./jacobi"});
  const auto options = std::make_shared<RecordArguments>();
  auto& recording = options->recording;
  const auto add = [app](const char* name, auto& value, const char* type, const char* help) {
    return app->add_option(name, value, help)->type_name(type);
  };
  add("COMMAND", recording.command, "",
      "After --: the command that starts the program, with {} before the program itself");
  add("--list", options->list, "FILE",
      "Record several programs, each on a line as NAME: COMMAND, in FOLDER/NAME; runs that are there are "
      "kept");
  app->add_flag("--again", options->again, "With --list: remove earlier runs, and record all anew");
  app->add_flag("--pin", recording.pin, "Bind each rank to one of the CPUs that it may use");
  add("-n,--runs", recording.runs, "N", "Timed runs")->capture_default_str()->check(CLI::Range(1, 10'000));
  add("--warmup", recording.warmup, "N", "Warm-up runs before them")
      ->capture_default_str()
      ->check(CLI::Range(0, 10'000));
  recording.folder = "run-set";
  add("-o,--output", recording.folder, "FOLDER", "Folder for all results, visible to all nodes")
      ->capture_default_str();
  app->add_flag("--append", options->append, "Add runs to those in the folder");
  add("--from", options->from, "CALL:N",
      "Time from where the N-th such call returns (-1: the last; default: MPI_Init)");
  add("--to", options->to, "CALL:N", "Time until this call is entered (default: MPI_Finalize)");
  app->add_flag("--no-trace", options->no_trace, "Do not trace an extra run");
  add("--timeout", options->limit, "TIME", "Abort a run that takes longer");
  add("--name", recording.name, "NAME", "Name of the program (default: its file name)");
  add("--machine", recording.machine, "NAME",
      "Name of the machine (default: the host name or the Slurm cluster)");
  add("--times-library", recording.times_library, "FILE",
      "Path of libbusline-times.so (default: next to this program)");
  add("--tracer", recording.tracer, "FILE", "Path of libbusline-dumpi.so (default: next to this program)");
  return {app, [options, &invocation] { return run(*options, invocation); }};
}

}  // namespace busline::cli
