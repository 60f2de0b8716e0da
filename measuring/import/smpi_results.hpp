// The CSV files of SimGrid's platform calibration (github.com/Ezibenroc/platform-calibration): calls between
// two processes (PingPong, Isend, Recv, ...) and messages of many at once (load_send, ...). Their columns:
// docs/reference/measuring.md, "SimGrid's platform calibration".
#pragma once
#include <string>
#include <string_view>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Whether a text begins with a row of one of them. They have no heading.
bool looks_like_smpi(std::string_view text);

/// One file, whose kind its operations and columns tell. All calls of a size are the samples of one point. A
/// file without a counterpart has no suite ("not-imported"). Errors name the line.
Expected<Measurement> parse_smpi(std::string_view text, const std::string& path, const ImportOptions& options,
                                 Diagnostics& diagnostics);

}  // namespace busline::measure
