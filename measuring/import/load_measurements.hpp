// Measurements from any file that has some: ours, and those of other benchmarks (docs/reference/measuring.md,
// "Other benchmarks").
#pragma once
#include <string>
#include <vector>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Detects the format by content: our measurement document, results of the network program, of LinkTest
/// (SION), SKaMPI, the OSU and the Intel benchmarks, SimGrid's platform calibration; compressed files are
/// unpacked. At least one suite with points. Where a file does not record the nodes of ranks, `options` do,
/// with a warning ("assumed-nodes"). Provenance is only that of our documents. Errors: a file that cannot be
/// read, is none of these or has no points; those of the format's reader.
Expected<Measurement> load_measurement(const std::string& path, Diagnostics& diagnostics,
                                       const ImportOptions& options = {});

/// Whether a file is one of these kinds, judging by its start or its schema: load_measurement() may still
/// find it damaged. False for anything but a regular file, which could be read only once. Cost: reads the
/// file.
bool holds_measurement(const std::string& path);

/// The same as load_measurement(), for combining the measurements of several files.
Expected<std::vector<Measurement>> load_measurements(const std::string& path, Diagnostics& diagnostics,
                                                     const ImportOptions& options = {});

}  // namespace busline::measure
