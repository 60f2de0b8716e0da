// The output of the emulated cluster's network program (validation/cluster/apps/network.cpp), and the
// calibration.json files of validation/golden/real_runs.
#pragma once
#include "documents/fields/document.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Whether a document looks like one.
bool is_network_result(const Document& document);

/// Ping-pongs and collectives become suites like the calibration set's. Concurrent messages are pairs of
/// ranks
/// ("pairs-one-way", "pairs-both-ways"), or one rank with many others ("fan-out", "fan-in"), over their
/// number. Times are those of the longest call unless the document says "clock": "common". Errors name line,
/// column and pointer.
Expected<Measurement> parse_network_result(const Document& document, Diagnostics& diagnostics);

}  // namespace busline::measure
