// Reads the document that 'busline simulate --json' prints (studies/schema/result.schema.json).
#pragma once
#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "studies/runs/simulate_report.hpp"

namespace busline::report {

/// What a result document says about its run, without the reasons for its run time and what was salvaged.
/// Errors name the member that is missing, unknown or wrong.
Expected<SimulateReport> read_run(const Document& document);

}  // namespace busline::report
