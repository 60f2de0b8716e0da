// A place in the words of a SKaMPI 5 script, for its parsers, and what they say of a word that does not
// belong there.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "measuring/skampi/ski_tokens.hpp"
#include "sim/base/error.hpp"

namespace busline::skampi {

/// Whether it is a word of the language, which cannot be a name.
bool is_ski_keyword(const SkiToken& token);

class SkiCursor {
 public:
  /// At the first one. The last one is the end; they outlive the cursor.
  explicit SkiCursor(std::span<const SkiToken> tokens) : tokens_(tokens) {}

  /// Counts how deep things are within one another, for as long as it lives.
  class Level {
   public:
    explicit Level(SkiCursor& at) : depth_(++at.depth_) {}
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --depth_; }
    /// More than kDeepestSyntax.
    bool too_deep() const;

   private:
    std::size_t& depth_;
  };

  const SkiToken& now() const { return tokens_[at_]; }
  const SkiToken& after() const { return tokens_[next()]; }
  /// Stays at the end.
  void go_on() { at_ = next(); }
  /// Goes on if it is at this word.
  bool take(std::string_view word);
  /// The same with an Error if it is not: "expected 'do' before what the loop repeats", of which `what` is
  /// the second half.
  Expected<void> require(std::string_view word, std::string_view what);

  /// "expected ..., found ..."
  tl::unexpected<Error> wrong(std::string_view expected, std::string hint = "") const;
  tl::unexpected<Error> too_deep() const;

 private:
  std::size_t next() const { return std::min(at_ + 1, tokens_.size() - 1); }

  std::span<const SkiToken> tokens_;
  std::size_t at_ = 0, depth_ = 0;
};

}  // namespace busline::skampi
