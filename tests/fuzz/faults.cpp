#include "tests/fuzz/faults.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tests/damage/damaged_file.hpp"

namespace busline::fuzz {
namespace {

// A name out of a file must not move the cursor or change colours.
std::string fault_in_shown(std::string_view shown) {
  const auto at = std::find_if(shown.begin(), shown.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n') || byte == 0x7f;
  });
  if (at == shown.end()) return {};
  return fmt::format("byte {:#x} in a message: {}", static_cast<unsigned char>(*at), shown);
}

std::string_view line_of(std::string_view text, std::uint64_t number) {
  for (; number > 1; --number) text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string fault_in_error(const Error& e, std::string_view text) {
  // For an option the caller knows where it came from.
  if (e.kind == Error::Kind::bad_option && e.message.empty()) return "an error without a message";
  if (e.kind != Error::Kind::bad_option)
    if (auto fault = fault_in(e, text.size(), kInput); !fault.empty()) return fault;
  if (auto fault = fault_in_shown(to_string(e)); !fault.empty()) return fault;
  if (e.path != kInput || !e.line) return {};
  const auto lines = 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (*e.line < 1 || *e.line > lines) return fmt::format("line {} of {}: {}", *e.line, lines, to_string(e));
  if (!e.column) return {};
  const auto columns = line_of(text, *e.line).size() + 1;
  if (*e.column < 1 || *e.column > columns)
    return fmt::format("column {} of {}: {}", *e.column, columns, to_string(e));
  return {};
}

std::string fault_in_diagnostics(const Diagnostics& told) {
  for (const auto& d : told) {
    if (d.message.empty()) return "a warning without a message";
    Error shown;  // as the command line shows it
    shown.message = d.message;
    if (auto fault = fault_in_shown(to_string(shown)); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace busline::fuzz
