#include "measuring/skampi/ski_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "documents/fields/printable.hpp"
#include "documents/fields/text_file.hpp"

namespace busline::skampi {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Longer ones first.
constexpr std::array<std::string_view, 23> kSigns{"...", "==", "!=", "<>", "<=", ">=", "<", ">",
                                                  ",",   "(",  ")",  "=",  "[",  "]",  "+", "*",
                                                  "-",   "/",  "{",  "}",  ":",  "%",  "&"};

struct Unit {
  std::string_view text;
  unsigned shift;  // 2^shift bytes, as SKaMPI has it for kB, too
};
constexpr std::array<Unit, 10> kUnits{{{"kb", 10},
                                       {"kB", 10},
                                       {"KB", 10},
                                       {"KiB", 10},
                                       {"mb", 20},
                                       {"MB", 20},
                                       {"MiB", 20},
                                       {"gb", 30},
                                       {"GB", 30},
                                       {"GiB", 30}}};

class Lexer {
 public:
  Expected<void> file(const std::string& path, std::size_t depth) {
    const auto text = read_text_file(path, kLargestScript);
    if (!text) return tl::unexpected(text.error());
    return read(*text, path, depth);
  }

  Expected<void> read(std::string_view text, const std::string& path, std::size_t depth) {
    SkiPlace place{std::make_shared<const std::string>(path), 1};
    while (!text.empty()) {
      auto token = next(text, place);
      if (!token) return tl::unexpected(std::move(token.error()));
      if (token->kind == SkiToken::Kind::end) continue;
      if (!token->is("@include")) {
        if (tokens_.size() == kMostTokens)
          return tl::unexpected(place.error(fmt::format("the script has more than {} words", kMostTokens)));
        tokens_.push_back(*std::move(token));
        continue;
      }
      const auto name = next(text, place);
      if (!name) return tl::unexpected(name.error());
      if (name->kind != SkiToken::Kind::text || name->text.empty())
        return tl::unexpected(
            token->place.error("expected a file name after @include, such as \"Bcast.inc\""));
      if (depth == kDeepestInclude || ++includes_ > kMostIncludes)
        return tl::unexpected(
            token->place.error(fmt::format("too many files are included: at most {}, nested at most {} deep",
                                           kMostIncludes, kDeepestInclude)));
      const auto included = (std::filesystem::path(path).parent_path() / name->text).string();
      if (auto done = file(included, depth + 1); !done) return done;
    }
    end_ = place;
    return {};
  }

  std::vector<SkiToken> take() {
    tokens_.push_back({SkiToken::Kind::end, "", 0, 0, end_});
    return std::move(tokens_);
  }

 private:
  // The next token of `text`, which loses it; of kind end for blanks and comments.
  static Expected<SkiToken> next(std::string_view& text, SkiPlace& place) {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n')) {
      if (text[0] == '\n') ++place.line;
      text.remove_prefix(1);
    }
    SkiToken token{SkiToken::Kind::end, "", 0, 0, place};
    if (text.empty()) return token;
    const auto cut = [&](std::size_t length, SkiToken::Kind kind) {
      token.kind = kind;
      token.text = text.substr(0, length);
      text.remove_prefix(length);
      return token;
    };
    if (text[0] == '#') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      return token;
    }
    constexpr std::string_view kInclude = "@include";
    if (text.starts_with(kInclude)) return cut(kInclude.size(), SkiToken::Kind::name);
    if (is_letter(text[0])) {
      std::size_t length = 1;
      while (length < text.size() && (is_letter(text[length]) || is_digit(text[length]))) ++length;
      return cut(length, SkiToken::Kind::name);
    }
    if (text[0] == '"') {
      const auto end = text.find_first_of("\"\n", 1);
      if (end == std::string_view::npos || text[end] == '\n')
        return tl::unexpected(place.error("a string is not closed: '\"' is missing"));
      text.remove_prefix(1);
      cut(end - 1, SkiToken::Kind::text);
      text.remove_prefix(1);
      return token;
    }
    if (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])))
      return number(text, place);
    for (const auto sign : kSigns)
      if (text.starts_with(sign)) return cut(sign.size(), SkiToken::Kind::sign);
    return tl::unexpected(
        place.error(fmt::format("'{}' is not a character of the language", printable(text.substr(0, 1)))));
  }

  static Expected<SkiToken> number(std::string_view& text, const SkiPlace& place) {
    SkiToken token{SkiToken::Kind::whole, "", 0, 0, place};
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    const bool is_real = digits < text.size() && text[digits] == '.' && text.substr(digits, 3) != "...";
    const char* const end = text.data() + text.size();
    constexpr std::size_t kMostShown = 30;
    std::size_t length = digits;
    while (length < text.size() && (is_digit(text[length]) || is_letter(text[length]) || text[length] == '.'))
      ++length;
    const auto fail = [&place, written = text.substr(0, std::min(length, kMostShown))] {
      return tl::unexpected(place.error(fmt::format("the number {} is too large", written)));
    };
    if (is_real) {
      token.kind = SkiToken::Kind::real;
      const auto [after, error] = std::from_chars(text.data(), end, token.real);
      if (error != std::errc{}) return fail();
      text.remove_prefix(static_cast<std::size_t>(after - text.data()));
      return token;
    }
    const auto [after, error] = std::from_chars(text.data(), end, token.whole);
    if (error != std::errc{}) return fail();
    text.remove_prefix(static_cast<std::size_t>(after - text.data()));
    std::size_t letters = 0;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    if (letters == 0) return token;
    for (const auto& unit : kUnits)
      if (text.substr(0, letters) == unit.text) {
        if (token.whole > (std::int64_t{1} << (62U - unit.shift))) return fail();
        token.whole <<= unit.shift;
        text.remove_prefix(letters);
        return token;
      }
    return tl::unexpected(place.error(fmt::format(
        "'{}' is not a unit, expected kB, MB or GB (powers of 1024)", printable(text.substr(0, letters)))));
  }

  std::vector<SkiToken> tokens_;
  std::size_t includes_ = 0;
  SkiPlace end_;
};

Expected<std::vector<SkiToken>> taken(Lexer& lexer, const Expected<void>& read) {
  if (!read) return tl::unexpected(read.error());
  return lexer.take();
}

}  // namespace

Error SkiPlace::error(std::string message, std::string hint) const {
  Error e;
  if (path) e.path = *path;
  e.line = line;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

Expected<std::vector<SkiToken>> read_ski_tokens(const std::string& path) {
  Lexer lexer;
  return taken(lexer, lexer.file(path, 0));
}

Expected<std::vector<SkiToken>> ski_tokens(std::string_view text, const std::string& path) {
  Lexer lexer;
  return taken(lexer, lexer.read(text, path, 0));
}

}  // namespace busline::skampi
