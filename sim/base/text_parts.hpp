// Splits texts into parts, parses numbers, and joins numbers with nouns.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace busline {

/// The text as a whole number (or any number, if `Number` is double); nothing if it is not exactly that or
/// does not fit.
template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}
inline std::optional<double> decimal_number(std::string_view text) {
  return whole_number<double>(text);
}

/// A noun after a number: "rank" after 1, "ranks" after any other. `one` forms its plural with s.
inline std::string noun_after(std::uint64_t n, std::string_view one) {
  return std::string(one).append(n == 1 ? "" : "s");
}

/// A number with its noun, for messages, in which plain digits can be searched for: "1 rank", "1024 ranks".
/// Pages use readable(), with digits in groups.
inline std::string counted(std::uint64_t n, std::string_view one) {
  return std::to_string(n).append(" ").append(noun_after(n, one));
}

/// The parts of `text` between occurrences of `at`: one more than these; parts may be empty. They point into
/// `text`.
inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace busline
