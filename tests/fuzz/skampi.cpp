#include "tests/fuzz/skampi.hpp"

#include <utility>

#include "measuring/skampi/parameter_file.hpp"
#include "measuring/skampi/result_file.hpp"
#include "measuring/skampi/run_log.hpp"
#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_syntax.hpp"
#include "measuring/skampi/ski_tokens.hpp"
#include "tests/fuzz/fault_in_measurement.hpp"
#include "tests/fuzz/faults.hpp"

namespace busline::fuzz {

using namespace skampi;

std::string fault_in_parameter_file(std::string_view text) {
  for (const bool lenient : {false, true}) {
    Diagnostics told;
    const auto read = [&](const std::string& t) { return parse_parameter_file(t, kInput, {lenient}, told); };
    if (auto fault = fault_in_round_trip(text, read, [](const ParameterFile& f) { return to_text(f); });
        !fault.empty())
      return fault;
    if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  }
  return {};
}

std::string fault_in_skampi_results(std::string_view text) {
  Diagnostics told;
  const auto file = parse_results(text, kInput, told);
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  return file ? fault_in_imported(to_measurement(*file)) : fault_in_error(file.error(), text);
}

std::string fault_in_ski_script(std::string_view text) {
  SkiMachine machine;
  machine.ranks = 4;
  machine.farthest = [] { return Expected<std::uint32_t>(3U); };
  Diagnostics told;
  const auto measurements =
      ski_tokens(text, kInput).and_then(parse_ski).and_then([&](const std::vector<SkiStatement>& script) {
        return interpret_ski(script, machine, told);
      });
  if (auto fault = fault_in_diagnostics(told); !fault.empty()) return fault;
  if (!measurements) return fault_in_error(measurements.error(), text);
  if (measurements->size() > kMostSkiMeasurements) return "too many measurements";
  for (const auto& m : *measurements)
    if (m.operation == nullptr) return "a measurement of nothing";
  return {};
}

std::string fault_in_run_log(std::string_view text) {
  Diagnostics told;
  read_log(text, kInput, told);
  return fault_in_diagnostics(told);
}

}  // namespace busline::fuzz
