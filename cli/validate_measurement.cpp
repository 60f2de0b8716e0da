#include "cli/validate_measurement.hpp"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <utility>

#include "cli/program/interrupt.hpp"
#include "cli/program/terminal.hpp"
#include "platforms/document/document.hpp"
#include "platforms/load_platform.hpp"
#include "studies/comparison_report.hpp"
#include "studies/output/readable.hpp"
#include "validation/compare/simulated_measurement.hpp"
#include "validation/measure/measurement_json.hpp"

namespace busline::cli {

bool is_measurement(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  const auto document = Document::read(path);
  if (!document || !document->root().is_object()) return false;
  const auto schema = document->root().find("schema");
  return schema != document->root().end() && schema->is_string() &&
         schema->get_ref<const std::string&>().starts_with("busline/measurement/");
}

Expected<Exit> validate_measurement(const MeasurementValidation& options, const Invocation& invocation) {
  ComparisonReport report;
  report.first = options.measurement;
  const auto platform =
      load_platform(options.platform, {.overrides = {}, .sets = options.sets}, report.diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  report.second = platform->name;
  const auto real = measure::read_measurement(options.measurement);
  if (!real) return tl::unexpected(real.error());
  const auto simulated = [&] {
    ProgressBar bar(!invocation.quiet, "measuring");
    return compare::simulate_measurement(*real, *platform, options.model, [&bar](double share) {
      bar.show(share);
      return !interrupted();
    });
  }();
  if (!simulated) return tl::unexpected(simulated.error());
  auto comparison = compare::compare_measurements(*real, simulated->measurement);
  if (!comparison) {
    if (const auto stopped = interrupt_exit()) return *stopped;
    comparison.error().path = options.measurement;
    return tl::unexpected(std::move(comparison.error()));
  }
  report.comparison = *std::move(comparison);
  for (const auto& [suite, why] : simulated->left_out) {
    report.left_out.emplace_back(suite, why);
    std::erase(report.comparison.only_first, suite);
  }
  if (!invocation.quiet) print_diagnostics(report.diagnostics);
  if (invocation.json)
    print_document(to_json(report), invocation, {options.platform, options.measurement});
  else
    fmt::print("{}", to_text(report));
  if (const auto stopped = interrupt_exit()) return *stopped;
  const auto off = std::exp(report.comparison.median) - 1;
  if (!options.max_median || off <= *options.max_median) return kDone;
  Error beyond;
  beyond.message =
      fmt::format("the median point is off by {}, more than {}", percent(off), percent(*options.max_median));
  print_error(beyond);
  return kBeyondThreshold;
}

}  // namespace busline::cli
