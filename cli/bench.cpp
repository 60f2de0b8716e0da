// busline bench: how fast this machine replays and reads traces, and whether predictions are what they were.
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/terminal.hpp"
#include "models/simulate.hpp"
#include "studies/benchmark.hpp"
#include "studies/trace_benchmark.hpp"

namespace busline::cli {
namespace {

constexpr std::uint32_t kMostRanks = 1'000'000;

struct Options {
  BenchmarkOptions benchmark;
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

Expected<Exit> run_trace(const Options& options, const Invocation& invocation) {
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

Expected<Exit> run(Options options, const Invocation& invocation) {
  if (options.signature) return print_signature(invocation);
  if (!options.trace.empty()) return run_trace(options, invocation);
  if (options.model != "all") options.benchmark.models = {options.model};
  if (!invocation.json) fmt::print("{}", benchmark_heading());
  const auto rows = run_benchmark(options.benchmark, [&](const BenchmarkRow& row) {
    if (!invocation.json) fmt::print("{}", to_text(row));
    std::fflush(stdout);
    return !interrupted();
  });
  if (!rows) return tl::unexpected(rows.error());
  if (invocation.json) print_document(to_json(*rows), invocation, {});
  return interrupt_exit().value_or(kDone);
}

}  // namespace

Command add_bench(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "bench", "Measure how many operations a second the models replay",
                  {"busline bench", "busline bench --ranks 64,1024 --model ideal --operations 10000000",
                   "busline bench --trace run/trace.meta", "busline bench --signature"});
  const auto options = std::make_shared<Options>();
  app->add_option("--ranks", options->benchmark.ranks, "Numbers of ranks, with commas between them")
      ->delimiter(',')
      ->check(CLI::Range(1U, kMostRanks))
      ->capture_default_str();
  app->add_option("--operations", options->benchmark.operations, "Of each generated program, about")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
      ->capture_default_str();
  std::vector<std::string> models{"all"};
  for (const auto& m : model_names()) models.push_back(m.name);
  app->add_option("--model", options->model, "The model, or all but flow")
      ->check(CLI::IsMember(models))
      ->capture_default_str();
  auto* trace =
      app->add_option(
             "--trace", options->trace,
             "Measure how fast this DUMPI trace is read and predicted instead: a .meta file or a folder")
          ->type_name("TRACE");
  app->add_option("--repetitions", options->repetitions,
                  "Of each measurement on the trace; the quickest counts")
      ->check(CLI::Range(1U, 1000U))
      ->needs(trace)
      ->capture_default_str();
  app->add_flag("--signature", options->signature, "Print one checksum over fixed predictions instead")
      ->excludes(trace);
  return {app, [options, &invocation] { return run(*options, invocation); }};
}

}  // namespace busline::cli
