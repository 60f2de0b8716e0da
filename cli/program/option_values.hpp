// What reads the values of options, for all commands.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "sim/error.hpp"
#include "sim/text_parts.hpp"

namespace busline::cli {

/// An Error about the value of an option, with a hint that shows a right one.
inline tl::unexpected<Error> refuse(std::string_view option, std::string message, std::string hint) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = option;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

/// "2%" or "0.02"; `option` is for messages. 0 to 10.
Expected<double> parse_share(const std::string& text, const std::string& option);

}  // namespace busline::cli
