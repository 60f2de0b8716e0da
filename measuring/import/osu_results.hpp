// The output of the OSU micro-benchmarks (osu_latency, osu_bw, osu_bibw, osu_mbw_mr, osu_multi_lat and the
// blocking collectives of versions 3 to 7). Which columns there are: their README and
// docs/reference/measuring.md, "Other benchmarks".
#pragma once
#include <string>
#include <string_view>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Whether a text has the heading of one of them in it.
bool looks_like_osu(std::string_view text);

/// The outputs of one job, one after the other. Only averages exist, so a point's `count` is 1 and it has no
/// samples. Only the options give the number of ranks in a collective. Benchmarks without a counterpart are
/// left out with a warning ("not-imported"). Errors name the line.
Expected<Measurement> parse_osu(std::string_view text, const std::string& path, const ImportOptions& options,
                                Diagnostics& diagnostics);

}  // namespace busline::measure
