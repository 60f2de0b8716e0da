// busline inspect: what a workload holds.
#include <fmt/core.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/terminal.hpp"
#include "studies/inspect_report.hpp"
#include "workloads/load_workload.hpp"

namespace busline::cli {
namespace {

Expected<Exit> run(const std::string& path, const Invocation& invocation) {
  InspectReport report;
  const auto workload = load_workload(path, {}, report.diagnostics);
  if (!workload) return tl::unexpected(workload.error());
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (const auto stopped = interrupt_exit()) return *stopped;
  report.workload = workload->name;
  report.format = workload->format;
  report.statistics = statistics_of(workload->program);
  if (invocation.json)
    print_document(to_json(report), invocation, workload->files);
  else
    fmt::print("{}", to_text(report));
  return kDone;
}

}  // namespace

Command add_inspect(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(program, invocation, "inspect",
                          "Show what a workload holds: calls, messages, who talks to whom",
                          {"busline inspect trace.meta", "busline inspect trace.dim --json"});
  const auto path = std::make_shared<std::string>();
  app->add_option("WORKLOAD", *path, "A .dim trace, a DUMPI .meta, or a folder with one")
      ->type_name("")
      ->required();
  return {app, [path, &invocation] { return run(*path, invocation); }};
}

}  // namespace busline::cli
