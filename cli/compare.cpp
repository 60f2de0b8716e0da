// busline compare: two measurements of the same things (docs/how-to/validating.md).
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/import_options.hpp"
#include "measuring/import/load_measurements.hpp"
#include "studies/accuracy/comparison_report.hpp"

namespace busline::cli {
namespace {

struct CompareArguments {
  std::string first, second;
  measure::ImportOptions imports;
};

Expected<Exit> run_compare(const CompareArguments& options, const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto first = measure::load_measurement(options.first, diagnostics, options.imports);
  if (!first) return tl::unexpected(first.error());
  const auto second = measure::load_measurement(options.second, diagnostics, options.imports);
  if (!second) return tl::unexpected(second.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto comparison = compare::compare_measurements(*first, *second);
  if (!comparison) {
    if (comparison.error().path.empty()) comparison.error().path = options.second;
    return tl::unexpected(std::move(comparison.error()));
  }
  const ComparisonReport report{
      options.first, options.second, *std::move(comparison), {}, std::move(diagnostics)};
  if (invocation.json)
    print_document(to_json(report), invocation, {options.first, options.second});
  else
    fmt::print("{}", to_text(report));
  return kDone;
}

}  // namespace

Command add_compare(CLI::App& program, Invocation& invocation) {
  auto* app = new_command(
      program, invocation, "compare", "Compare two measurements of the same suites",
      {"busline compare monday.json friday.json", "busline compare osu-monday.txt osu-friday.txt --ranks 16",
       "busline compare a.json b.json --json"});
  const auto options = std::make_shared<CompareArguments>();
  app->add_option("FIRST", options->first,
                  "The measurement to compare with: a document, or a result file of another benchmark")
      ->type_name("")
      ->required();
  app->add_option("SECOND", options->second, "A measurement with suites of the same names")
      ->type_name("")
      ->required();
  add_import_options(*app, options->imports);
  return {app, [options, &invocation] { return run_compare(*options, invocation); }};
}

}  // namespace busline::cli
