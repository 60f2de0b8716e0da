// One simulated run, as read_run.hpp reads it.
#pragma once
#include <string>

#include "studies/report/figure.hpp"
#include "studies/runs/simulate_report.hpp"

namespace busline::report {

/// Where the ranks' time went, and what the messages queued for. `source` is the document's file. Bars of
/// more than kMostBars ranks are means of groups of them.
Section run_section(const SimulateReport& run, const std::string& source);
inline constexpr std::size_t kMostBars = 64;

}  // namespace busline::report
