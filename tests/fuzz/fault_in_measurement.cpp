#include "tests/fuzz/fault_in_measurement.hpp"

#include <utility>

#include "measuring/measurement/measurement_json.hpp"
#include "tests/fuzz/faults.hpp"

namespace busline::fuzz {

std::string fault_in_imported(const measure::Measurement& measurement) {
  const auto text = to_json_text(measurement);
  const auto again = measure::parse_measurement(text, kInput);
  if (!again) return "its document cannot be read: " + to_string(again.error()) + "\n" + text;
  if (to_json_text(*again) != text) return "its document changes when it is written again:\n" + text;
  return {};
}

}  // namespace busline::fuzz
