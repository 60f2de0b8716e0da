// One measurement of several: each suite merged by merge_runs, whatever else a file says taken from the
// first.
#pragma once
#include <span>
#include <string>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

struct NamedMeasurement {
  std::string path;  ///< what messages and MergedFrom call it
  Measurement measurement;
};

/// Suites keep the order of the first run; those that only later runs have follow. A point whose median is a
/// measured one is that run's point, statistics and samples included; an interpolated one has a result only.
/// Results of single ranks are merged likewise, one by one. Interpolated points do not count. `runs` are at
/// least one; provenance is left for the caller to fill.
///
/// Warnings: a suite that some runs do not have; runs of machines with different names. Errors (bad_input):
/// runs on different testbeds; suites of one name that measured different things.
Expected<Measurement> merge_measurements(std::span<const NamedMeasurement> runs, MergeRule rule,
                                         Diagnostics& diagnostics);

}  // namespace busline::measure
