// busline compare: two measurements of the same things (docs/validating.md).
#include <fmt/core.h>

#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "studies/comparison_report.hpp"
#include "validation/measure/measurement_json.hpp"

namespace busline::cli {
namespace {

struct Options {
  std::string first, second;
};

Expected<Exit> run(const Options& options, const Invocation& invocation) {
  const auto first = measure::read_measurement(options.first);
  if (!first) return tl::unexpected(first.error());
  const auto second = measure::read_measurement(options.second);
  if (!second) return tl::unexpected(second.error());
  auto comparison = compare::compare_measurements(*first, *second);
  if (!comparison) {
    if (comparison.error().path.empty()) comparison.error().path = options.second;
    return tl::unexpected(std::move(comparison.error()));
  }
  const ComparisonReport report{options.first, options.second, *std::move(comparison), {}, {}};
  if (invocation.json)
    print_document(to_json(report), invocation, {options.first, options.second});
  else
    fmt::print("{}", to_text(report));
  return kDone;
}

}  // namespace

Command add_compare(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "compare", "Compare two measurements of the same things",
                  {"busline compare monday.json friday.json", "busline compare a.json b.json --json"});
  const auto options = std::make_shared<Options>();
  app->add_option("FIRST", options->first, "A measurement document: what the other is compared with")
      ->type_name("")
      ->required();
  app->add_option("SECOND", options->second, "Another one with suites of the same names")
      ->type_name("")
      ->required();
  return {app, [options, &invocation] { return run(*options, invocation); }};
}

}  // namespace busline::cli
