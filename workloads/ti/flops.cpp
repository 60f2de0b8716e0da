#include "workloads/ti/flops.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace busline {

std::optional<double> parse_flops(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  constexpr std::string_view kPrefixes = "kMGTP";
  if (text.size() == 2) {
    const auto power = kPrefixes.find(text.front());
    if (power == kPrefixes.npos) return std::nullopt;
    value *= std::pow(1000., static_cast<double>(power + 1));
    text.remove_prefix(1);
  }
  if (text != "f" || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

}  // namespace busline
