// The words of SKaMPI 5's scripts (.ski): numbers, names, texts and signs, with their places.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::skampi {

/// For messages: which line of which file. Included files are files of their own.
struct SkiPlace {
  std::shared_ptr<const std::string> path;
  std::uint64_t line = 0;

  Error error(std::string message, std::string hint = "") const;
};

struct SkiToken {
  enum class Kind { end, whole, real, text, name, sign };
  Kind kind = Kind::end;
  std::string text;  ///< of names and keywords, texts (without quotes), signs
  std::int64_t whole = 0;
  double real = 0;
  SkiPlace place;

  bool is(std::string_view word) const { return (kind == Kind::name || kind == Kind::sign) && text == word; }
};

inline constexpr std::size_t kLargestScript = std::size_t{1} << 20U, kMostTokens = 200'000,
                             kMostIncludes = 100, kDeepestInclude = 10;

/// All tokens of a script, those of the files that it includes in place; the last one is the end. Errors name
/// file and line: what is not a word of the language, numbers that are too large, files that cannot be read,
/// that include one another or are too many.
Expected<std::vector<SkiToken>> read_ski_tokens(const std::string& path);
/// The same of a text, for which `path` stands; included files are beside it.
Expected<std::vector<SkiToken>> ski_tokens(std::string_view text, const std::string& path);

}  // namespace busline::skampi
