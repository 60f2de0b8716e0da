// What was left out of a damaged trace, as a member of a document (studies/schema/result.schema.json).
#pragma once
#include "documents/fields/cursor.hpp"
#include "workloads/salvage/salvage_report.hpp"

namespace busline {

void describe(Fields& f, SalvageReport& report);

}  // namespace busline
