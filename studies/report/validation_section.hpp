// Predictions against real runs: the document that 'busline validate --json' prints
// (docs/how-to/validating.md).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

struct ValidatedRun {
  std::string machine, program, status;
  std::uint64_t ranks = 0;
  Duration measured, least, most;
  std::optional<Duration> predicted;
  std::optional<double> error, spread;  ///< shares
  bool counts = false;
  std::optional<std::string> traced_on{};  ///< the machine of the trace, if it is another run set's
};
struct Validation {
  std::string model;
  double most_spread = 0;
  std::vector<ValidatedRun> runs;
};

/// Errors name the member that is missing or wrong.
Expected<Validation> read_validation(const Document& document);

/// Predicted over measured times, the errors' histogram, and tables by program, by machine and by run.
/// `source` is the document's file.
Section validation_section(const Validation& validation, const std::string& source);

}  // namespace busline::report
