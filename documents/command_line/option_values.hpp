// Parsers of option values, for all commands.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::cli {

/// "2%" or "0.02", 0 to 1000%; `option` is for messages.
Expected<double> parse_share(const std::string& text, const std::string& option);

}  // namespace busline::cli
