// busline measure merge: one measurement of several runs (docs/reference/measuring.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "documents/command_line/terminal.hpp"
#include "measuring/commands/import_options.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/import/load_measurements.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/measurement/merge_measurements.hpp"

namespace busline::cli {
namespace {

using measure::MergeRule;

struct MergeArguments {
  std::vector<std::string> files;
  std::string output, rule = "count";
  measure::ImportOptions imports;
};

Expected<MergeRule> parse_rule(const std::string& text) {
  for (const auto& [name, rule] : measure::kMergeRuleNames)
    if (text == name) return rule;
  return refuse_option("--merge", fmt::format("unknown rule '{}'", text),
                       "'count' weighs each run by its number of samples, 'robust' weighs all runs equally");
}

Expected<Exit> merge_files(const MergeArguments& options, const Invocation& invocation) {
  const auto rule = parse_rule(options.rule);
  if (!rule) return tl::unexpected(rule.error());
  std::vector<measure::NamedMeasurement> runs;
  Diagnostics diagnostics;
  for (const auto& path : options.files) {
    auto measurement = measure::load_measurement(path, diagnostics, options.imports);
    if (!measurement) return tl::unexpected(std::move(measurement.error()));
    runs.push_back({path, *std::move(measurement)});
  }
  auto merged = measure::merge_measurements(runs, *rule, diagnostics);
  if (!merged) return tl::unexpected(std::move(merged.error()));
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (auto done = deliver(*std::move(merged), options.output, invocation, options.files); !done)
    return tl::unexpected(std::move(done.error()));
  return kDone;
}

}  // namespace

Command add_measure_merge(CLI::App& measure, Invocation& invocation) {
  auto* app = new_command(measure, invocation, "merge", "Merge measurements of several runs into one",
                          {"busline measure merge run1.json run2.json run3.json -o all.json",
                           "busline measure merge run*.json --merge=robust"});
  const auto options = std::make_shared<MergeArguments>();
  app->add_option("FILES", options->files,
                  "Measurements of the same suites: documents, or result files of other benchmarks")
      ->type_name("")
      ->required();
  app->add_option("-o,--output", options->output, "Document to write; - for standard output")
      ->type_name("FILE");
  app->add_option("--merge", options->rule,
                  "count (default): weigh each run by its number of samples; robust: weigh all runs equally")
      ->type_name("RULE");
  add_import_options(*app, options->imports);
  return {app, [options, &invocation] { return merge_files(*options, invocation); }};
}

}  // namespace busline::cli
