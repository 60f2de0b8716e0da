// busline measure calibration: the standard set that 'busline calibrate' wants (docs/reference/measuring.md).
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/commands/measuring_options.hpp"
#include "measuring/commands/testbed_options.hpp"
#include "measuring/standard_set/standard_set.hpp"
#include "sim/base/quantity.hpp"

namespace busline::cli {
namespace {

struct CalibrationArguments {
  TestbedOptions testbed;
  BudgetOption budget;
  ResolutionOption resolution;
  std::vector<std::string> suites;  // empty: all
  std::string largest = "4MiB", concurrent = "48KiB", precision = "3%";
  std::uint32_t min_repetitions = 4, max_repetitions = 100, warmup = 5;
};

Expected<std::uint64_t> parse_size(const std::string& text, const char* option) {
  const auto size = parse_bytes(text);
  if (!size) return refuse_option(option, fmt::format("{}: {}", text, size.error().reason), "such as 1MiB");
  return count(*size);
}

Expected<measure::CalibrationOptions> calibration_options(const CalibrationArguments& options) {
  measure::CalibrationOptions c;
  const auto largest = parse_size(options.largest, "--largest");
  if (!largest) return tl::unexpected(largest.error());
  const auto concurrent = parse_size(options.concurrent, "--concurrent");
  if (!concurrent) return tl::unexpected(concurrent.error());
  const auto precision = parse_share(options.precision, "--precision");
  if (!precision) return tl::unexpected(precision.error());
  c.largest = *largest;
  c.concurrent = *concurrent;
  c.repetition.precision = *precision;
  c.repetition.min_repetitions = options.min_repetitions;
  c.repetition.max_repetitions = options.max_repetitions;
  c.warmup = options.warmup;
  const auto resolution = options.resolution.share();
  if (!resolution) return tl::unexpected(resolution.error());
  c.resolution = *resolution;
  if (auto ok = validate(c.repetition); !ok) return tl::unexpected(std::move(ok.error()));
  return c;
}

// Leaves those that are wanted.
Expected<void> choose_calibration_suites(const std::vector<std::string>& wanted,
                                         measure::CalibrationSet& set) {
  if (wanted.empty()) return {};
  const auto is_wanted = [&](const std::string& name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  std::vector<std::string> known;
  for (const auto& plan : set.suites) known.push_back(plan.name);
  for (const auto& missing : set.left_out) known.push_back(missing.suite);
  for (const auto& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto near = nearest_name(known, name);
      return refuse_option(
          "--suite", fmt::format("unknown suite '{}'", name),
          near.empty() ? "docs/reference/measuring.md lists all" : fmt::format("did you mean {}?", near));
    }
  std::erase_if(set.suites, [&](const measure::SuitePlan& plan) { return !is_wanted(plan.name); });
  std::erase_if(set.left_out, [&](const auto& missing) { return !is_wanted(missing.suite); });
  return {};
}

Expected<Exit> measure_calibration(const CalibrationArguments& options, const Invocation& invocation) {
  const auto how = calibration_options(options);
  if (!how) return tl::unexpected(how.error());
  const auto budget = options.budget.limit();
  if (!budget) return tl::unexpected(budget.error());
  auto testbed = make_testbed(options.testbed, kPairsJob, invocation);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  auto set = measure::calibration_set(**testbed, *how);
  if (auto chosen = choose_calibration_suites(options.suites, set); !chosen)
    return tl::unexpected(std::move(chosen.error()));
  Diagnostics diagnostics;
  for (const auto& missing : set.left_out)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "left-out",
         fmt::format("{} is not measured because it needs {}", missing.suite, missing.needs)});

  auto measured = [&] {
    std::vector<double> shares;
    for (const auto& plan : set.suites) shares.push_back(plan.share);
    SuiteProgressBar bar(!invocation.quiet, **testbed, *budget, std::move(shares));
    // Save after each suite, in case the process is killed: launchers leave little time after Ctrl-C.
    const auto keep = [&](const std::vector<measure::Suite>& suites) {
      if (options.testbed.output.empty() || options.testbed.output == "-") return;
      auto document = measure::measurement_on(**testbed);
      document.suites = suites;
      document.provenance = provenance(invocation, options.testbed.inputs());
      static_cast<void>(save(document, options.testbed.output));  // the last write reports errors
    };
    return measure::measure_suites(**testbed, set.suites, std::ref(bar), *budget, keep);
  }();
  for (const auto& failed : measured.failed)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "failed-suite",
         fmt::format("{} could not be measured: {}", failed.suite, to_string(failed.error))});
  warn_of_budget(measured.suites, measured.left_out, diagnostics);
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto document = measure::measurement_on(**testbed);
  const auto any = check_measured(measured.suites,
                                  measured.failed.size() + measured.left_out.size() + set.left_out.size());
  document.budget = budget_use(*budget, **testbed, std::move(measured.left_out));
  document.suites = std::move(measured.suites);
  if (auto delivered =
          deliver(std::move(document), options.testbed.output, invocation, options.testbed.inputs());
      !delivered)
    return tl::unexpected(std::move(delivered.error()));
  if (measured.interrupted) return interrupt_exit().value_or(kInterrupted);
  if (!any) return tl::unexpected(any.error());
  return kDone;
}

}  // namespace

Command add_measure_calibration(CLI::App& measure, Invocation& invocation) {
  auto* app =
      new_command(measure, invocation, "calibration", "Measure everything that calibration needs",
                  examples(invocation, "calibration", {"-o measured.json", "--largest 64KiB --json"}));
  const auto options = std::make_shared<CalibrationArguments>();
  add_testbed_options(*app, options->testbed, invocation);
  options->budget.add_to(*app, options->testbed.source->usual_budget());
  options->resolution.add_to(*app);
  app->add_option("--suite", options->suites, "Measure only this suite; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  const auto add = [app](const char* name, auto& value, const char* type, const char* help) {
    app->add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  add("--largest", options->largest, "SIZE", "Largest message of the curves");
  add("--concurrent", options->concurrent, "SIZE", "Size of messages that share links and buses");
  add("--precision", options->precision, "SHARE",
      "Repeat until the standard error falls to this share of the mean");
  add("--min-repetitions", options->min_repetitions, "N", "Minimum number of repetitions");
  add("--max-repetitions", options->max_repetitions, "N", "Maximum number of repetitions");
  add("--warmup", options->warmup, "N", "Calls before the first sample");
  return {app, [options, &invocation] { return measure_calibration(*options, invocation); }};
}

}  // namespace busline::cli
