// One simulated run: the document that 'busline simulate --json' prints (studies/schema/result.schema.json).
#pragma once
#include <string>

#include "platforms/document/document.hpp"
#include "sim/error.hpp"
#include "studies/report/figure.hpp"
#include "studies/simulate_report.hpp"

namespace busline::report {

/// What a result document says of its run, without its region. Errors name the member that is missing or
/// wrong.
Expected<SimulateReport> read_run(const Document& document);

/// Where the ranks' time went, and what the messages queued for. `source` is the document's file. Bars of
/// more than kMostBars ranks are means of groups of them.
Section run_section(const SimulateReport& run, const std::string& source);
inline constexpr std::size_t kMostBars = 64;

}  // namespace busline::report
