// busline bench: how fast this machine replays and reads traces, and whether predictions have changed.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/study.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "models/simulate.hpp"
#include "studies/benchmark/benchmark.hpp"
#include "studies/benchmark/part_benchmark.hpp"
#include "studies/benchmark/trace_benchmark.hpp"

namespace busline::cli {
namespace {

constexpr std::uint32_t kMostRanks = 1'000'000;

constexpr const char* kReplay = "replay";  // one of --what, beside part_names()

struct BenchArguments {
  BenchmarkOptions benchmark;
  std::vector<std::string> what;  // empty: all
  unsigned threads = usual_threads();
  std::string model = "all";
  std::string trace;
  std::uint32_t repetitions = 5;
  bool signature = false;
};

Expected<Exit> print_signature(const Invocation& invocation) {
  const auto signature = prediction_signature();
  if (!signature) return tl::unexpected(signature.error());
  if (invocation.json)
    print_document({{"schema", "busline/benchmark/1"}, {"signature", *signature}}, invocation, {});
  else
    fmt::print("{}\n", *signature);
  return kDone;
}

Expected<Exit> run_trace(const BenchArguments& options, const Invocation& invocation) {
  TraceBenchmarkOptions how;
  how.trace = options.trace;
  how.repetitions = options.repetitions;
  if (options.model != "all") how.models = {options.model};
  ProgressBar bar(!invocation.quiet, "measuring");
  const auto measured = run_trace_benchmark(how, [&bar](double share) {
    bar.show(share);
    return !interrupted();
  });
  if (!measured) return tl::unexpected(measured.error());
  if (const auto stopped = interrupt_exit()) return *stopped;
  if (invocation.json)
    print_document(to_json(*measured), invocation, {});
  else
    fmt::print("{}", to_text(*measured));
  return kDone;
}

Expected<std::vector<BenchmarkRow>> run_replay(const BenchArguments& options, const Invocation& invocation) {
  auto how = options.benchmark;
  how.go_on = [] { return !interrupted(); };
  if (options.model != "all") how.models = {options.model};
  if (!invocation.json) fmt::print("{}", benchmark_heading());
  return run_benchmark(how, [&](const BenchmarkRow& row) {
    if (!invocation.json) fmt::print("{}", to_text(row));
    std::fflush(stdout);
    return !interrupted();
  });
}

Expected<std::vector<PartBenchmarkRow>> run_parts(const BenchArguments& options,
                                                  std::vector<std::string> parts,
                                                  const Invocation& invocation) {
  PartBenchmarkOptions how;
  how.parts = std::move(parts);
  how.operations = options.benchmark.operations;
  how.threads = options.threads;
  ProgressBar bar(!invocation.quiet, "measuring");
  return run_part_benchmark(how, [&bar](double share) {
    bar.show(share);
    return !interrupted();
  });
}

Expected<Exit> run_bench(const BenchArguments& options, const Invocation& invocation) {
  if (options.signature) return print_signature(invocation);
  if (!options.trace.empty()) return run_trace(options, invocation);
  auto parts = options.what;
  const bool replay = parts.empty() || std::erase(parts, kReplay) > 0;
  nlohmann::ordered_json document{{"schema", "busline/benchmark/1"}};
  if (replay) {
    const auto rows = run_replay(options, invocation);
    if (!rows) return tl::unexpected(rows.error());
    if (const auto stopped = interrupt_exit()) return *stopped;
    document["rows"] = to_json(*rows);
  }
  if (options.what.empty() || !parts.empty()) {
    const auto rows = run_parts(options, std::move(parts), invocation);
    if (!rows) return tl::unexpected(rows.error());
    if (const auto stopped = interrupt_exit()) return *stopped;
    document["parts"] = to_json(*rows);
    if (!invocation.json) fmt::print("{}{}", replay ? "\n" : "", to_text(*rows));
  }
  if (invocation.json) print_document(document, invocation, {});
  return kDone;
}

}  // namespace

Command add_bench(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(program, invocation, "bench",
                          "Measure how fast this machine replays, reads traces and runs studies",
                          {"busline bench", "busline bench --what queue,study -j 2",
                           "busline bench --what replay --ranks 64,1024 --model ideal --operations 10000000",
                           "busline bench --trace run/trace.meta", "busline bench --signature"});
  const auto options = std::make_shared<BenchArguments>();
  std::vector<std::string> all_parts{kReplay};
  for (const auto part : part_names()) all_parts.emplace_back(part);
  auto* what =
      app->add_option(
             "--what", options->what,
             "What to measure, separated by commas: replay, the event queue, a hot spot (incast), reading "
             "Dimemas (dim) and DUMPI traces, a study (default: all)")
          ->delimiter(',')
          ->check(CLI::IsMember(all_parts));
  app->add_option("--ranks", options->benchmark.ranks, "Numbers of ranks to replay, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1U, kMostRanks))
      ->capture_default_str();
  app->add_option("--operations", options->benchmark.operations,
                  "Approximate operations in each generated program, and events passed through the queue")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
      ->capture_default_str();
  std::vector<std::string> models{"all"};
  for (const auto& m : model_names()) models.push_back(m.name);
  app->add_option("--model", options->model, "Model that replays; all leaves out flow")
      ->check(CLI::IsMember(models))
      ->capture_default_str();
  auto* trace =
      app->add_option(
             "--trace", options->trace,
             "Measure instead how fast this DUMPI trace is read and predicted: a .meta file or a folder")
          ->type_name("TRACE")
          ->excludes(what);
  app->add_option("-j,--threads", options->threads,
                  "Threads of the study, which first runs on one (default: all cores)")
      ->check(CLI::Range(1U, 1024U))
      ->excludes(trace);
  app->add_option("--repetitions", options->repetitions,
                  "Repetitions of each measurement on the trace; the fastest counts")
      ->check(CLI::Range(1U, 1000U))
      ->needs(trace)
      ->capture_default_str();
  app->add_flag("--signature", options->signature, "Print only a checksum over fixed predictions")
      ->excludes(trace)
      ->excludes(what);
  return {app, [options, &invocation] { return run_bench(*options, invocation); }};
}

}  // namespace busline::cli
