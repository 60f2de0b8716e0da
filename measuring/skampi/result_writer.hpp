// Writes result files as SKaMPI 4 does, piece by piece, so that a run that is stopped has its finished suites
// in the file.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "measuring/skampi/parameter_file.hpp"
#include "measuring/skampi/result_file.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "sim/base/units.hpp"

namespace busline::skampi {

using ResultHead = std::vector<std::pair<std::string, std::string>>;

/// The texts of a parameter file that SKaMPI repeats, without those that are empty, and whether overhead is
/// in the times. Who measures adds what else is known (VERSION, TESTBED, HOSTNAME, TIME, ...).
ResultHead head_of(const ParameterFile& parameters);
std::string head_text(const ResultHead& head);

/// What the suite was to be, and what it took.
struct SuiteDescription {
  const measure::SuitePlan* plan = nullptr;  ///< nothing: not known
  std::uint32_t processes = 0;
  Duration spent;  ///< on the testbed's clock
};
/// The suite with all that stands around its rows, and its end. Times are in tenths of a microsecond. A point
/// without statistics of all samples has the result of the cleaned ones twice.
std::string suite_text(const measure::Suite& suite, const SuiteDescription& description);

/// The last line of a file that is complete.
std::string end_text();

}  // namespace busline::skampi
