// Text from a file, adapted for a message: short, one line, no control characters, valid UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace busline {

/// `text` with control characters, and bytes that are not UTF-8, written as \n, \t or \x1b; truncated to
/// `limit` bytes and "..." if it is longer.
std::string printable(std::string_view text, std::size_t limit = 60);

bool is_utf8(std::string_view text);

}  // namespace busline
