// The scripts and styles of a page, from studies/report/page and third_party/uplot:
// cmake/write_page_files.cmake makes the source of these.
#pragma once
#include <string_view>

namespace busline::report {

extern const std::string_view kPageScript, kPageStyle;
extern const std::string_view kChartScript, kChartStyle;  ///< uPlot's

}  // namespace busline::report
