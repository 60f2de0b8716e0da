#include "cli/inspect_statistics.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/inspect_options.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "studies/traces/trace_statistics_report.hpp"

namespace busline::cli {
namespace {

std::string name_of(const std::string& path) {
  const auto name = std::filesystem::path(path).lexically_normal();
  return (name.has_filename() ? name : name.parent_path()).filename().string();
}

// The results from all ranks together. A trace that cannot be simulated still has statistics, and warnings
// about simulating it do not matter here.
void add_job(const StatisticsQuery& query, TraceStatisticsReport& report) {
  Diagnostics about_simulating;
  const auto program = read_dumpi(query.trace, query.options, about_simulating);
  if (program)
    report.job = statistics_of(*program);
  else
    report.without_job = to_string(program.error());
}

}  // namespace

Expected<Exit> print_statistics(const StatisticsQuery& query, const Invocation& invocation) {
  const auto& trace = query.trace;
  const bool salvage = query.options.salvage;
  TraceStatisticsReport report;
  report.trace = name_of(trace);
  report.one_file = dumpi::is_rank_file(trace);
  dumpi::TraceFiles files{"", {trace}};
  if (!report.one_file) {
    auto found = files_of_trace(trace, salvage, report.diagnostics);
    if (!found) return tl::unexpected(std::move(found.error()));
    files = std::move(*found);
  }
  auto calls = read_call_statistics(files.ranks, salvage, report.diagnostics);
  if (!calls) return tl::unexpected(std::move(calls.error()));
  report.calls = std::move(*calls);
  if (report.one_file)
    report.without_job = "this is the file of one rank of a job";
  else
    add_job(query, report);
  if (const auto stopped = interrupt_exit()) return *stopped;
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (!invocation.json) {
    fmt::print("{}", to_text(report, query.all_ranks));
    return kDone;
  }
  auto inputs = std::move(files.ranks);
  if (!report.one_file) inputs.insert(inputs.begin(), files.meta);
  print_document(to_json(report), invocation, inputs);
  return kDone;
}

}  // namespace busline::cli
