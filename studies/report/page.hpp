// A report as one self-contained HTML file: no network, no other file.
#pragma once
#include <string>

#include "studies/report/figure.hpp"

namespace busline::report {

/// The same bytes for the same report. Its content security policy lets the page's own scripts and styles
/// run, by their digests, and nothing else. Cost: linear in what is in the report.
std::string html_page(const Report& report);

}  // namespace busline::report
