// The document "busline/validation/1" of 'busline validate --json', described once
// (documents/fields/object.hpp): its writer and studies/schema/validation.schema.json follow from it.
#pragma once
#include "documents/fields/cursor.hpp"
#include "studies/accuracy/validation_report.hpp"

namespace busline {

void describe(Fields& f, ValidationReport& report);

}  // namespace busline
