// Measures what a script of SKaMPI 5 says: its measurements as suites of a measurement document.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/skampi/run_suites.hpp"
#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// What a script can ask about a testbed, which must outlive it.
SkiMachine machine_of(measure::Testbed& testbed);

/// Measurements that are one curve: of one operation in one block, differing by the innermost loop's
/// variable.
struct SkiSuite {
  std::string name;  ///< unique
  measure::Varies varies = measure::Varies::nothing;
  std::vector<const SkiMeasurement*> measurements;

  std::uint64_t argument_of(const SkiMeasurement& m) const;
};
/// In the order in which they begin. The measurements must outlive them.
std::vector<SkiSuite> group_into_suites(std::span<const SkiMeasurement> measurements);

struct SkiOptions {
  std::optional<Duration> budget;  ///< what all may take together, on the testbed's clock
  double resolution = measure::kResolution;
};

/// Measures all, by SKaMPI 5's rules: times are the longest of all ranks, no overhead is subtracted, the
/// times of all ranks are kept. Warnings: suites that cannot be measured. Errors: an autorefine loop whose
/// variable is neither a length nor a number of processes.
Expected<SuiteRun> run_ski(measure::Testbed& testbed, std::span<const SkiMeasurement> measurements,
                           const SkiOptions& options, const measure::Watch& watch, Diagnostics& diagnostics);

}  // namespace busline::skampi
