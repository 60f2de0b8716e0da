// A text as JSON, for who writes a document piece by piece and needs no more of the library.
#pragma once
#include <string>
#include <string_view>

namespace busline {

/// In quotes. What is not UTF-8 is replaced, and what is not ASCII escaped: names come out of traces.
std::string json_text(std::string_view text);

}  // namespace busline
