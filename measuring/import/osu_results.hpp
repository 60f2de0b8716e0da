// What the OSU micro-benchmarks print (osu_latency, osu_bw, osu_bibw, osu_mbw_mr, osu_multi_lat and the
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

/// The outputs of one job, one behind the other. There are averages only, so that a point's `count` is 1 and
/// it has no samples. How many ranks took part in a collective only the options say. What has no counterpart
/// here is left out with a warning ("not-imported"). Errors name the line.
Expected<Measurement> parse_osu(std::string_view text, const std::string& path, const ImportOptions& options,
                                Diagnostics& diagnostics);

}  // namespace busline::measure
