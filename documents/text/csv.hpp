// Comma-separated values as RFC 4180 has them.
#pragma once
#include <string>
#include <string_view>

namespace busline {

/// The text as a cell: in quotes, with its own ones doubled, where a comma, a quote or the end of a line is
/// in it.
std::string csv_cell(std::string_view text);

}  // namespace busline
