// The output of the Intel MPI Benchmarks (IMB-MPI1, versions 2 to 2021). The columns: their user guide, and
// docs/reference/measuring.md, "Other benchmarks".
#pragma once
#include <string>
#include <string_view>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Whether a text has the heading of one of them in it.
bool looks_like_imb(std::string_view text);

/// Only averages over repetitions exist, so a point's `count` is 1 and it has no samples; among several ranks
/// the slowest counts (t_max). Benchmarks without a counterpart are left out with a warning ("not-imported").
/// Errors name the line.
Expected<Measurement> parse_imb(std::string_view text, const std::string& path, const ImportOptions& options,
                                Diagnostics& diagnostics);

}  // namespace busline::measure
