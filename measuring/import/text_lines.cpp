#include "measuring/import/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "documents/fields/printable.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::measure {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr double kMostWhole = 9007199254740992;  // 2^53: every double below is a whole number's own

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::optional<double> parse_number(std::string_view word) {
  double value = 0;
  const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (wrong != std::errc() || end != word.data() + word.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

}  // namespace

bool TextLines::next() {
  if (rest_.empty()) return false;
  const auto end = rest_.find('\n');
  whole_ = end != std::string_view::npos;
  text_ = trimmed(rest_.substr(0, end));
  rest_.remove_prefix(whole_ ? end + 1 : rest_.size());
  ++number_;
  return true;
}

Error TextLines::error(std::string message, std::string hint) const {
  Error e;
  e.path = path_;
  e.line = number_;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

Diagnostic TextLines::warning(std::string code, std::string message) const {
  return {.code = std::move(code), .message = std::move(message), .path = path_, .line = number_};
}

Expected<std::vector<double>> TextLines::numbers(std::size_t columns) const {
  const auto found = words(text_);
  if (found.size() != columns)
    return tl::unexpected(
        error(fmt::format("a row of {}, expected {}", counted(found.size(), "column"), columns),
              whole_ ? "" : "the file ends within this line: it appears to be truncated"));
  std::vector<double> values;
  for (const auto word : found) {
    const auto value = parse_number(word);
    if (!value)
      return tl::unexpected(
          error(fmt::format("expected a number of 0 or more, found '{}'", printable(word))));
    values.push_back(*value);
  }
  return values;
}

Expected<std::uint64_t> TextLines::whole(double number) const {
  if (number > kMostWhole || number != std::floor(number))
    return tl::unexpected(error(fmt::format("expected a whole number up to 2^53, found {}", number)));
  return static_cast<std::uint64_t>(number);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  for (auto rest = trimmed(text); !rest.empty();) {
    const auto end = std::min(rest.find_first_of(kBlanks), rest.size());
    found.push_back(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
  return found;
}

std::vector<std::string_view> titles(std::string_view text) {
  std::vector<std::string_view> found;
  for (auto rest = trimmed(text); !rest.empty();) {
    const auto end = std::min({rest.find("  "), rest.find('\t'), rest.size()});
    found.push_back(trimmed(rest.substr(0, end)));
    rest = trimmed(rest.substr(end));
  }
  return found;
}

std::optional<std::uint32_t> number_after(std::string_view text, std::string_view key, std::uint32_t most) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const auto behind = text.substr(at + key.size());
  const auto digits = behind.find_first_not_of(" \t=:");
  if (digits == std::string_view::npos) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, wrong] = std::from_chars(behind.data() + digits, behind.data() + behind.size(), value);
  if (wrong != std::errc() || value > most) return std::nullopt;
  return value;
}

}  // namespace busline::measure
