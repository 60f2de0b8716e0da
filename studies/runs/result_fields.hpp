// The document busline/result/1 of 'busline simulate --json', described once (documents/fields/object.hpp):
// its writer, its reader (studies/report/read_run.hpp) and studies/schema/result.schema.json follow from it.
#pragma once
#include <string_view>

#include "documents/fields/cursor.hpp"
#include "documents/fields/names.hpp"
#include "studies/runs/simulate_report.hpp"

namespace busline {

inline constexpr std::string_view kResultSchema = "busline/result/1";
inline constexpr Names<compare::MeasuredIn, 2> kMeasuredInNames{
    {{"runs", compare::MeasuredIn::runs}, {"trace", compare::MeasuredIn::trace}}};

void describe(Fields& f, SimulateReport& report);
Expected<void> check(const Cursor& at, const SimulateReport& report);

}  // namespace busline
