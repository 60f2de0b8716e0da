// Fuzz targets: documents that studies and reports read.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// A study document: each of its points has a value for each axis.
std::string fault_in_study(std::string_view text);
/// Any input of 'busline report' gives a page.
std::string fault_in_reported(std::string_view bytes);

}  // namespace busline::fuzz
