// Texts of files in a page: names of ranks, platforms and calls can be anything.
#pragma once
#include <string>
#include <string_view>

namespace busline::report {

/// The text with what cannot be seen made visible: control characters and bytes that are not UTF-8 as \x1b,
/// characters that turn the direction of a line round or hide as \u202e. Cut to 300 bytes.
std::string shown_text(std::string_view text);

/// shown_text() for the inside of an HTML element or of an attribute in quotes.
std::string html_text(std::string_view text);

}  // namespace busline::report
