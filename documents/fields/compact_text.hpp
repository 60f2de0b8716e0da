// JSON as readable text.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace busline {

/// Two spaces of indentation; values that fit on a line of 100 characters stay on one line, and long lists of
/// numbers fill their lines. Ends with a newline. Bytes that are not UTF-8 are replaced.
std::string compact_text(const nlohmann::ordered_json& value);

}  // namespace busline
