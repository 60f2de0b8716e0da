#include "studies/report/shown_text.hpp"

#include <fmt/format.h>

#include "documents/fields/printable.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kLongestShown = 300;

// For a sequence of three bytes that is valid UTF-8.
unsigned code_of(std::string_view three) {
  const auto bits = [&](std::size_t i, unsigned mask) {
    return static_cast<unsigned>(static_cast<unsigned char>(three[i])) & mask;
  };
  return bits(0, 0x0fU) << 12U | bits(1, 0x3fU) << 6U | bits(2, 0x3fU);
}

// Unicode Standard Annex 9, 2: marks, embeddings, overrides and isolates; and characters without a width.
bool is_hidden(unsigned code) {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

constexpr std::string_view kArabicLetterMark = "\xd8\x9c";  // U+061C

}  // namespace

std::string shown_text(std::string_view text) {
  const auto plain = printable(text, kLongestShown);
  std::string out;
  out.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size();) {
    const auto rest = std::string_view(plain).substr(i);
    if (rest.starts_with(kArabicLetterMark)) {
      out += "\\u061c";
      i += kArabicLetterMark.size();
      continue;
    }
    const bool three = (static_cast<unsigned char>(rest[0]) & 0xf0U) == 0xe0U && rest.size() >= 3;
    if (three && is_hidden(code_of(rest))) {
      out += fmt::format("\\u{:04x}", code_of(rest));
      i += 3;
      continue;
    }
    out += rest[0];
    ++i;
  }
  return out;
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : shown_text(text)) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  return out;
}

}  // namespace busline::report
