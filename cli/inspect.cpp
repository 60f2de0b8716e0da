// busline inspect: the contents of a workload.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/inspect_linktest.hpp"
#include "cli/inspect_records.hpp"
#include "cli/inspect_skampi.hpp"
#include "cli/inspect_statistics.hpp"
#include "cli/workload_options.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "studies/traces/inspect_report.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {
namespace {

constexpr std::uint32_t kMostFileRank = 999'999'999;  // file names have up to 9 digits

struct InspectArguments {
  std::string workload, records, csv;
  std::vector<std::string> calls;
  std::optional<std::uint32_t> rank;
  bool header = false, statistics = false, full = false;
  WorkloadOptions workload_options;

  bool wants_records() const { return !records.empty() || !calls.empty(); }
};

Expected<Exit> print_records(const InspectArguments& options, const Invocation& invocation) {
  RecordQuery query{options.workload, options.rank, {}, {}, options.full};
  if (!options.records.empty()) {
    const auto range = parse_record_range(options.records);
    if (!range) return tl::unexpected(range.error());
    query.range = *range;
  }
  auto functions = parse_functions(options.calls);
  if (!functions) return tl::unexpected(std::move(functions.error()));
  query.functions = std::move(*functions);
  return print_records(query, invocation);
}

tl::unexpected<Error> refuse(const char* option, std::string message) {
  return refuse_option(option, std::move(message), "'busline inspect --help' lists its options");
}

Expected<Exit> print_page(const InspectArguments& options, const Invocation& invocation) {
  InspectReport report;
  const auto workload = load_workload(options.workload, options.workload_options, report.diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (const auto stopped = interrupt_exit()) return *stopped;
  report.workload = workload->name;
  report.format = workload->format;
  report.origin = workload->origin;
  report.statistics = statistics_of(workload->program);
  if (invocation.json)
    print_document(to_json(report), invocation, workload->files);
  else
    fmt::print("{}", to_text(report));
  return kDone;
}

Expected<Exit> run_inspect(const InspectArguments& options, const Invocation& invocation) {
  if (options.statistics && (options.header || options.wants_records()))
    return refuse("--stats", "prints its own page: leave out --header, --records and --call");
  if (options.header && options.wants_records())
    return refuse("--header", "prints its own page: leave out --records and --call");
  if (options.wants_records()) return print_records(options, invocation);
  if (options.header) return print_header(options.workload, options.rank, options.full, invocation);
  if (options.rank) return refuse("--rank", "needs --records, --call or --header");
  if (options.statistics && !options.workload_options.scales.empty())
    return refuse("--scale", "changes no record: leave out --stats");
  if (options.statistics)
    return print_statistics({options.workload, options.full, options.workload_options.dumpi}, invocation);
  if (options.full) return refuse("--full", "needs --records, --call, --header or --stats");
  if (is_container(options.workload)) return print_linktest(options.workload, options.csv, invocation);
  if (!options.csv.empty()) return refuse("--csv", "needs a LinkTest result");
  if (is_skampi_result(options.workload)) return print_skampi(options.workload, invocation);
  return print_page(options, invocation);
}

}  // namespace

Command add_inspect(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "inspect",
                  "Show what a workload contains: calls, messages, communication between ranks",
                  {"busline inspect trace.meta", "busline inspect trace.dim --json",
                   "busline inspect run/ --stats", "busline inspect run/ --rank 3 --records 100..120",
                   "busline inspect run/trace-0003.bin --call MPI_Isend,MPI_Irecv",
                   "busline inspect linktest.sion --csv pairs.csv", "busline inspect skampi.sko --json"});
  const auto options = std::make_shared<InspectArguments>();
  app->add_option(
         "WORKLOAD", options->workload,
         "A .dim, .otf2, .prv, .goal or .program file, a DUMPI .meta, trace files of SMPI or liballprof, "
         "or a folder with one of these; a LinkTest .sion; a SKaMPI result")
      ->type_name("")
      ->required();
  const std::string dumpi = "Records of DUMPI traces or of one rank's .bin file";
  app->add_flag("--stats", options->statistics, "Show calls, times, sizes and messages as recorded")
      ->group(dumpi);
  app->add_flag("--header", options->header, "Show a rank's file header and footer")->group(dumpi);
  app->add_option("--records", options->records,
                  "Show these records of a rank, by number: 10..20, 10.., ..20, 10")
      ->type_name("FROM..TO")
      ->group(dumpi);
  app->add_option("--call", options->calls, "Show only the records of these functions")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(dumpi);
  app->add_option("--rank", options->rank, "Rank whose records or header to show")
      ->type_name("N")
      ->check(CLI::Range(0U, kMostFileRank).description(""))
      ->group(dumpi);
  app->add_flag("--full", options->full, "Show long lists in full")->group(dumpi);
  add_workload_options(*app, options->workload_options);
  app->add_option("--csv", options->csv,
                  "Write a table of all pairs to this file; '-' prints it instead of the page")
      ->type_name("FILE")
      ->group("LinkTest results");
  return {app, [options, &invocation] { return run_inspect(*options, invocation); }};
}

}  // namespace busline::cli
