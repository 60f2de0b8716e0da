// Detects the kind of document in a file, and what a report shows of it.
#pragma once
#include <string>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// Reads a results file of a study, a measurement, or a document of 'simulate', 'validate', 'inspect
/// --stats', 'curve' or 'study find' with --json. A study's page shows which points are `within` that share
/// of the best. Errors: it cannot be read, is none of these, or something in it is wrong.
Expected<Section> read_section(const std::string& path, double within = 0.05);
/// The same of a document that has been read. Errors: it is none of these, or something in it is wrong.
Expected<Section> section_of(const Document& document);

}  // namespace busline::report
