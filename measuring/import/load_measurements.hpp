// Measurements out of any file that has some: ours, and what other benchmarks write
// (docs/reference/measuring.md, "Other benchmarks").
#pragma once
#include <string>
#include <vector>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// By what the file holds: our measurement document, results of the network program, of LinkTest (SION),
/// SKaMPI, the OSU and the Intel benchmarks. At least one suite with points. Where a file does not say on
/// which nodes ranks were, `options` do, and a warning ("assumed-nodes") tells. Provenance is only that of
/// our documents. Errors: a file that cannot be read, is none of these or has no points; those of the
/// format's reader.
Expected<Measurement> load_measurement(const std::string& path, Diagnostics& diagnostics,
                                       const ImportOptions& options = {});

/// Whether a file is one of these kinds, as far as its start or its schema tells: load_measurement() may
/// still find it damaged. False for what is not a regular file, which could be read once only. Cost: reads
/// the file.
bool holds_measurement(const std::string& path);

/// The same as load_measurement(), for who puts the measurements of several files together.
Expected<std::vector<Measurement>> load_measurements(const std::string& path, Diagnostics& diagnostics,
                                                     const ImportOptions& options = {});

}  // namespace busline::measure
