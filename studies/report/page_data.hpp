// The figures of a report as data of a page, which its scripts draw.
#pragma once
#include <string>

#include "studies/report/figure.hpp"

namespace busline::report {

/// JSON in ASCII without '<', so that it can stand in a script element of HTML whatever is in it. Numbers
/// that are not finite are null; others have seven digits, more than can be drawn.
std::string page_data(const Report& report);

}  // namespace busline::report
