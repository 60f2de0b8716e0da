#include "measuring/skampi/ski_cursor.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/ski_syntax.hpp"

namespace busline::skampi {
namespace {

constexpr std::array<std::string_view, 22> kKeywords{
    "begin", "end", "measurement", "to",         "step",    "print", "print_all", "flush",
    "for",   "do",  "od",          "in",         "if",      "then",  "else",      "fi",
    "and",   "or",  "multipleof",  "autorefine", "measure", "not"};

std::string told(const SkiToken& t) {
  switch (t.kind) {
    case SkiToken::Kind::end:
      return "the script ends";
    case SkiToken::Kind::whole:
      return fmt::format("found {}", t.whole);
    case SkiToken::Kind::real:
      return fmt::format("found {}", t.real);
    default:
      return fmt::format("found '{}'", printable(t.text));
  }
}

}  // namespace

bool is_ski_keyword(const SkiToken& token) {
  for (const auto word : kKeywords)
    if (token.kind == SkiToken::Kind::name && token.text == word) return true;
  return false;
}

bool SkiCursor::Level::too_deep() const {
  return depth_ > kDeepestSyntax;
}

bool SkiCursor::take(std::string_view word) {
  if (!now().is(word)) return false;
  go_on();
  return true;
}

Expected<void> SkiCursor::require(std::string_view word, std::string_view what) {
  if (take(word)) return {};
  return wrong(fmt::format("'{}' {}", word, what));
}

tl::unexpected<Error> SkiCursor::wrong(std::string_view expected, std::string hint) const {
  return tl::unexpected(
      now().place.error(fmt::format("expected {}, {}", expected, told(now())), std::move(hint)));
}

tl::unexpected<Error> SkiCursor::too_deep() const {
  return tl::unexpected(
      now().place.error(fmt::format("more than {} levels are nested here", kDeepestSyntax)));
}

}  // namespace busline::skampi
