#include "cli/validate_measurement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/platform_of_machine.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/readable.hpp"
#include "measuring/import/load_measurements.hpp"
#include "platforms/load_platform.hpp"
#include "studies/accuracy/comparison_report.hpp"
#include "validation/compare/simulated_measurement.hpp"

namespace busline::cli {
namespace {

// Removes suites from `real` that an interrupted simulation did not reach, or whose first point it did not
// reach.
Diagnostic leave_out_what_was_not_reached(measure::Measurement& real,
                                          compare::SimulatedMeasurement& simulated) {
  const auto all = real.suites.size();
  auto& reached = simulated.measurement.suites;
  std::erase_if(reached, [](const measure::Suite& s) { return s.points.empty(); });
  std::erase_if(real.suites, [&](const measure::Suite& s) {
    return std::none_of(reached.begin(), reached.end(),
                        [&](const measure::Suite& other) { return other.name == s.name; });
  });
  return {.code = "interrupted",
          .message = fmt::format("interrupted: simulated {} of {} suites", reached.size(), all)};
}

}  // namespace

Expected<Exit> validate_measurement(const MeasurementValidation& options, const Invocation& invocation) {
  ComparisonReport report;
  report.first = options.measurement;
  auto real = measure::load_measurement(options.measurement, report.diagnostics, options.imports);
  if (!real) return tl::unexpected(real.error());
  const auto& machine = real->machine.name;
  const auto file = platform_of_machine(options.platform, machine,
                                        fmt::format("{}, measured on {}", options.measurement, machine));
  if (!file) return tl::unexpected(file.error());
  const auto platform = load_platform(*file, {.overrides = {}, .sets = options.sets}, report.diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  report.second = platform->name;
  auto simulated = [&] {
    ProgressBar bar(!invocation.quiet, "measuring");
    return compare::simulate_measurement(*real, *platform, options.model, [&bar](double share) {
      bar.show(share);
      return !interrupted();
    });
  }();
  if (!simulated) {
    auto e = simulated.error();
    // Errors that name a suite or a kernel concern the measurement, others the platform or the model.
    if (e.path.empty() && !e.where.empty()) e.path = options.measurement;
    return tl::unexpected(std::move(e));
  }
  if (simulated->interrupted) report.diagnostics.push_back(leave_out_what_was_not_reached(*real, *simulated));
  auto comparison = compare::compare_measurements(*real, simulated->measurement);
  if (!comparison && simulated->interrupted) {
    if (!invocation.quiet) print_diagnostics(report.diagnostics);
    return interrupt_exit().value_or(kInterrupted);
  }
  if (simulated->measurement.suites.empty()) {
    const auto& [suite, why] = simulated->left_out.front();
    return refuse_file(Error::Kind::bad_input, options.measurement, "none of its suites can be simulated",
                       fmt::format("{}: {}", suite, why));
  }
  if (!comparison) {
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
    print_document(to_json(report), invocation, {*file, options.measurement});
  else
    fmt::print("{}", to_text(report));
  if (simulated->interrupted) return interrupt_exit().value_or(kInterrupted);
  const auto off = std::exp(report.comparison.median) - 1;
  if (!options.max_median || off <= *options.max_median) return kDone;
  Error beyond;
  beyond.message =
      fmt::format("the median point is off by {}, more than {}", percent(off), percent(*options.max_median));
  print_error(beyond);
  return kBeyondThreshold;
}

}  // namespace busline::cli
