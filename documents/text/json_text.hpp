// A text as JSON, for code that writes a document piece by piece and needs nothing else of the library.
#pragma once
#include <string>
#include <string_view>

namespace busline {

/// In quotes. Invalid UTF-8 is replaced, and non-ASCII characters are escaped: names come from traces.
std::string json_text(std::string_view text);

}  // namespace busline
