// Reads the results of LinkTest out of SION containers (docs/reference/linktest.md).
#pragma once
#include <string>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/sion/container.hpp"
#include "sim/base/error.hpp"

namespace busline::linktest {

/// Results of LinkTest 1.0 to 2.1.16, in either byte order. Reads rank by rank; what it holds is the result:
/// for each iteration 12 bytes per pair of ranks, and 4 more while it reads an iteration of 2.x.
///
/// Oddities in readable data are reported in `diagnostics`: "byte-order" (the data is not in the order that
/// the container declares), "unknown-version", "left-over" (bytes after the data), "iterations",
/// "both-kernels", "unmapped" (see AccessPattern), "strange-time" (not above 0), "summary", "retest".
Expected<LinkTestResult> read_linktest(const std::string& path, Diagnostics& diagnostics);
Expected<LinkTestResult> read_linktest(const sion::Container& container, Diagnostics& diagnostics);

}  // namespace busline::linktest
