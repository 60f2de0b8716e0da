#include "cli/option_values.hpp"

#include <fmt/format.h>

namespace busline::cli {

Expected<double> parse_share(const std::string& text, const std::string& option) {
  const bool percent = text.ends_with('%');
  double value = 0;
  const auto* end = text.data() + text.size() - (percent ? 1 : 0);
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (percent) value /= 100;
  if (error != std::errc{} || stopped != end || !(value >= 0 && value <= 10))
    return refuse(option, fmt::format("'{}' is no share", text), "such as 2% or 0.02");
  return value;
}

}  // namespace busline::cli
