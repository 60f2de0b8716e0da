#include "documents/fields/printable.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace busline {
namespace {

// Bytes of the UTF-8 sequence that `text` starts with; 0 if it does not start with one (RFC 3629: the
// shortest form, no surrogates, up to U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  struct Form {
    std::uint32_t mask, lead, least;
  };
  constexpr std::array<Form, 4> kForms{
      {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};
  const std::uint32_t first = static_cast<unsigned char>(text[0]);
  for (std::size_t length = 1; length <= kForms.size() && length <= text.size(); ++length) {
    const auto& form = kForms[length - 1];
    if ((first & form.mask) != form.lead) continue;
    std::uint32_t code = first & ~form.mask;
    for (std::size_t i = 1; i < length; ++i) {
      const std::uint32_t byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xc0U) != 0x80U) return 0;
      code = code << 6U | (byte & 0x3fU);
    }
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < form.least || is_surrogate || code > 0x10ffff ? 0 : length;
  }
  return 0;
}

// U+0080 to U+009F, which some terminals take as the start of a command.
bool is_control(std::string_view sequence) {
  return sequence.size() == 2 && sequence[0] == '\xc2' && static_cast<unsigned char>(sequence[1]) < 0xa0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= limit) return out + "...";
    const auto length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte == '\n')
      out += "\\n";
    else if (byte == '\t')
      out += "\\t";
    else if (length == 0 || byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else if (is_control(text.substr(0, length)))
      out += fmt::format("\\x{:02x}\\x{:02x}", byte, static_cast<unsigned char>(text[1]));
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace busline
