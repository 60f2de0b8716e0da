#include "sim/program/call_ref.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace busline {

std::optional<CallRef> parse_call_ref(std::string_view text) {
  const auto colon = text.rfind(':');
  CallRef call{std::string(text.substr(0, colon)), 1};
  if (colon != text.npos) {
    const auto number = text.substr(colon + 1);
    const auto* const end = number.data() + number.size();
    const auto [stopped, error] = std::from_chars(number.data(), end, call.number);
    if (error != std::errc{} || stopped != end) return std::nullopt;
  }
  if (call.call.empty() || call.number == 0) return std::nullopt;
  return call;
}

std::string to_text(const CallRef& call) {
  return fmt::format("{}:{}", call.call, call.number);
}

}  // namespace busline
