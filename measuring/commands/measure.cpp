// busline measure: what a machine does, and what is made of several measurements.
#include "measuring/commands/measure.hpp"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "measuring/measurement/measurement_json.hpp"
#include "measuring/tables/measurement_report.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

constexpr std::array<AddCommand, 5> kMeasureCommands{add_measure_calibration, add_measure_linktest,
                                                     add_measure_skampi, add_measure_ziatest,
                                                     add_measure_merge};

}  // namespace

Expected<void> save(const measure::Measurement& measurement, const std::string& output) {
  if (output == "-") {
    fmt::print("{}", to_json_text(measurement));
    return {};
  }
  return write_file(output, to_json_text(measurement));
}

Expected<void> deliver(measure::Measurement measurement, const std::string& output,
                       const Invocation& invocation, const std::vector<std::string>& inputs) {
  measurement.provenance = provenance(invocation, inputs);
  const bool to_stdout = output == "-";
  if (!output.empty() && !to_stdout)
    if (auto written = save(measurement, output); !written) return written;
  if (invocation.json || to_stdout)
    fmt::print("{}", invocation.json ? document_text(to_json(measurement)) : to_json_text(measurement));
  else if (!invocation.quiet)
    fmt::print("{}", output.empty() ? to_text(measurement) : summary_text(measurement));
  return {};
}

Command add_measure(CLI::App& program, Invocation& invocation) {
  auto* app = program.add_subcommand("measure", "Measure a machine, or merge measurements of several runs");
  app->footer("'busline measure KIND --help' shows its options and examples.");
  std::vector<Command> kinds;
  for (const auto add : kMeasureCommands) kinds.push_back(add(*app, invocation));
  return one_of(app, std::move(kinds));
}

}  // namespace busline::cli
