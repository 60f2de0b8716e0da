// Measurements out of any file that has some: ours, and what other benchmarks write (docs/measuring.md,
// "Other benchmarks").
#pragma once
#include <string>
#include <vector>

#include "sim/error.hpp"
#include "validation/measure/import/job_nodes.hpp"
#include "validation/measure/measurement.hpp"

namespace busline::measure {

/// By what the file holds: our measurement document, results of the network program, of LinkTest (SION),
/// SKaMPI, the OSU and the Intel benchmarks. At least one measurement with at least one suite. Where a file
/// does not say on which nodes ranks were, `options` do, and a warning ("assumed-nodes") tells. Provenance is
/// only that of our documents. Errors: a file that cannot be read or is none of these; those of the format's
/// reader.
Expected<std::vector<Measurement>> load_measurements(const std::string& path, Diagnostics& diagnostics,
                                                     const ImportOptions& options = {});

}  // namespace busline::measure
