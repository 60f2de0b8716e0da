// busline measure calibration: the standard set that 'busline calibrate' wants (docs/measuring.md).
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "cli/measure/measure.hpp"
#include "cli/measure/testbed_options.hpp"
#include "cli/program/interrupt.hpp"
#include "cli/program/option_values.hpp"
#include "cli/program/terminal.hpp"
#include "sim/quantity.hpp"
#include "validation/measure/calibration/standard_set.hpp"

namespace busline::cli {
namespace {

// Enough nodes to see buses, enough ranks on each to see links; collectives over 10,000 CPUs take hours.
constexpr DefaultJob kDefaultJob{.most_ranks = 64, .most_per_node = 4};

struct Options {
  TestbedOptions testbed;
  std::string largest = "4MiB", concurrent = "1MiB", precision = "3%";
  std::uint32_t min_repetitions = 4, max_repetitions = 100, warmup = 5;
};

Expected<std::uint64_t> parse_size(const std::string& text, const char* option) {
  const auto size = parse_bytes(text);
  if (!size) return refuse(option, fmt::format("{}: {}", text, size.error().reason), "such as 1MiB");
  return count(*size);
}

Expected<measure::CalibrationOptions> calibration_options(const Options& options) {
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
  if (auto ok = validate(c.repetition); !ok) return tl::unexpected(std::move(ok.error()));
  return c;
}

Expected<Exit> run(const Options& options, const Invocation& invocation) {
  const auto how = calibration_options(options);
  if (!how) return tl::unexpected(how.error());
  auto testbed = make_testbed(options.testbed, kDefaultJob, invocation);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  const auto set = measure::calibration_set(**testbed, *how);
  Diagnostics diagnostics;
  for (const auto& missing : set.left_out)
    diagnostics.push_back({Diagnostic::Severity::warning, "left-out",
                           fmt::format("{} is not measured: it needs {}", missing.suite, missing.needs)});

  ProgressBar bar(!invocation.quiet, "measuring");
  std::size_t done = 0;
  std::string current;
  auto measured = measure::measure_suites(**testbed, set.suites, [&](const measure::SuiteProgress& p) {
    if (p.suite != current) {
      current = p.suite;
      bar.show(static_cast<double>(done++) / static_cast<double>(set.suites.size()));
    }
    return !interrupted();
  });
  for (const auto& failed : measured.failed)
    diagnostics.push_back(
        {Diagnostic::Severity::warning, "failed-suite",
         fmt::format("{} could not be measured: {}", failed.suite, to_string(failed.error))});
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto document = measure::measurement_on(**testbed);
  document.suites = std::move(measured.suites);
  if (auto delivered =
          deliver(std::move(document), options.testbed.output, invocation, options.testbed.inputs());
      !delivered)
    return tl::unexpected(std::move(delivered.error()));
  return measured.interrupted ? interrupt_exit().value_or(kInterrupted) : kDone;
}

}  // namespace

Command add_measure_calibration(CLI::App& measure, Invocation& invocation) {
  auto* app =
      new_command(measure, invocation, "calibration", "Measure what calibration needs",
                  examples(invocation, "calibration", {"-o measured.json", "--largest 64KiB --json"}));
  const auto options = std::make_shared<Options>();
  add_testbed_options(*app, options->testbed, invocation);
  const auto add = [app](const char* name, auto& value, const char* type, const char* help) {
    app->add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  add("--largest", options->largest, "SIZE", "Largest message of the curves");
  add("--concurrent", options->concurrent, "SIZE", "Messages that share links and buses");
  add("--precision", options->precision, "SHARE",
      "Repeat until the standard error is this share of the mean");
  add("--min-repetitions", options->min_repetitions, "N", "Repeat at least so often");
  add("--max-repetitions", options->max_repetitions, "N", "Repeat at most so often");
  add("--warmup", options->warmup, "N", "Calls before the first sample");
  return {app, [options, &invocation] { return run(*options, invocation); }};
}

}  // namespace busline::cli
