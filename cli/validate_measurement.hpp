// busline validate for measurements: the same suites on a simulated machine, compared point by point.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"
#include "measuring/import/job_nodes.hpp"

namespace busline::cli {

struct MeasurementValidation {
  std::string platform, measurement, model;
  std::vector<std::string> sets;
  measure::ImportOptions imports;
  std::optional<double> max_median;  ///< of how far points are off
};

Expected<Exit> validate_measurement(const MeasurementValidation& options, const Invocation& invocation);

}  // namespace busline::cli
