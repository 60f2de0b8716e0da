// Comma-separated values as in RFC 4180.
#pragma once
#include <string>
#include <string_view>

namespace busline {

/// The text as a cell: quoted, with inner quotes doubled, if it contains a comma, a quote or a line end.
std::string csv_cell(std::string_view text);

}  // namespace busline
