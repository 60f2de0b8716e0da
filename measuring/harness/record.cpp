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
#include "measuring/runs/recording.hpp"
#include "measuring/runs/run_set_json.hpp"
#include "measuring/tables/run_set_report.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

namespace fs = std::filesystem;

struct RecordArguments {
  runs::RecordingOptions recording;
  std::string from, to, limit;
  bool no_trace = false;
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
        fmt::format("the times lie {:.1f} % apart: pin the ranks, keep other programs away, or add "
                    "runs with --append",
                    spread->relative() * 100)}});
}

Expected<Exit> run(const RecordArguments& options, const Invocation& invocation) {
  auto recording = recording_options(options);
  if (!recording) return tl::unexpected(std::move(recording.error()));
  recording->go_on = [] { return !interrupted(); };
  recording->provenance = [&] {
    auto p = provenance(invocation, {});
    p.tool = "busline-measure";
    return p;
  };
  const auto set = [&] {
    ProgressBar bar(!invocation.quiet, "running");
    recording->tell = [&bar](double share) { bar.show(share); };
    return runs::record_runs(*recording);
  }();
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
       "busline-measure record --append -n 10 --no-trace -o jacobi -- mpirun -n 8 {} ./jacobi"});
  const auto options = std::make_shared<RecordArguments>();
  auto& recording = options->recording;
  const auto add = [app](const char* name, auto& value, const char* type, const char* help) {
    return app->add_option(name, value, help)->type_name(type);
  };
  add("COMMAND", recording.command, "",
      "After --: the command that starts the program, with {} before the program itself")
      ->required();
  add("-n,--runs", recording.runs, "N", "Timed runs")->capture_default_str()->check(CLI::Range(1, 10'000));
  add("--warmup", recording.warmup, "N", "Warm-up runs before them")
      ->capture_default_str()
      ->check(CLI::Range(0, 10'000));
  recording.folder = "run-set";
  add("-o,--output", recording.folder, "FOLDER", "Folder for all results, visible to all nodes")
      ->capture_default_str();
  app->add_flag("--append", recording.append, "Add runs to those in the folder");
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
