// busline validate for measurements: the same suites on a simulated machine, compared point by point.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/program/command.hpp"

namespace busline::cli {

struct MeasurementValidation {
  std::string platform, measurement, model;
  std::vector<std::string> sets;
  std::optional<double> max_median;  ///< of how far points are off
};

/// Whether `path` is a file that says that it is a measurement document.
bool is_measurement(const std::string& path);

Expected<Exit> validate_measurement(const MeasurementValidation& options, const Invocation& invocation);

}  // namespace busline::cli
