// What reads the values of options, for all commands.
#pragma once
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/error.hpp"

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

/// A whole number and nothing else; nothing if it is none or does not fit.
template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// "2%" or "0.02"; `option` is for messages. 0 to 10.
Expected<double> parse_share(const std::string& text, const std::string& option);

}  // namespace busline::cli
