// One value of a parameter file, on its way from text to number: with the line and the key that an error has
// to name, and with SKaMPI's leniency if that is asked for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/skampi/parameter_words.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::skampi {

/// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// Names are compared without case and underscores: the sources do not agree on Max_Steps or MAXSTEPS.
std::string bare_name(std::string_view name);

/// Longer words are no misspelt names.
inline constexpr std::size_t kLongestName = 64;

/// The file that is read, and what all of its values need.
struct ParameterSource {
  const std::string& path;
  bool lenient;
  Diagnostics& diagnostics;

  Error error(std::uint64_t line, std::string where, std::string message, std::string hint = "") const;
  void warn(std::uint64_t line, const char* code, std::string message) const;
};

/// Readers leave their target as it is, which is its default, if the text is Default_Value or if it is wrong
/// and the source is lenient.
class ParameterValue {
 public:
  /// `where` is the key as messages name it; all but `where` must outlive this.
  ParameterValue(const ParameterSource& source, std::uint64_t line, std::string where, std::string_view text)
      : source_(&source), line_(line), where_(std::move(where)), text_(trimmed(text)) {}

  std::string_view text() const { return text_; }
  bool is(std::string_view keyword) const { return bare_name(text_) == bare_name(keyword); }

  template <class T>
  Expected<void> whole(T& out, std::uint64_t least, std::uint64_t most) const {
    std::optional<std::uint64_t> value;
    auto read = whole_number(value, least, most);
    if (value) out = static_cast<T>(*value);
    return read;
  }
  /// Finite; `what` says in words which numbers fit.
  Expected<void> number(double& out, bool (*fits)(double), std::string_view what) const;
  /// 0 or more and less than 0.5.
  Expected<void> cut_quantile(double& out) const;
  /// Minutes; Invalid_Value or disabled: none.
  Expected<void> minutes(std::optional<Duration>& out) const;
  /// A standard error relative to the mean: with % in per cent. Without, a number below 0.1 is a fraction,
  /// one from 1 on is in per cent, and between them a fraction, with a warning: in the files that are left of
  /// SKaMPI's time there are both (docs/reference/skampi.md).
  Expected<void> standard_error(double& out) const;
  /// One of the words, as bare names.
  template <class E, class Words>
  Expected<void> choice(E& out, const Words& words) const {
    std::vector<std::string> known;
    for (const auto& [word, value] : words) {
      if (is(word)) {
        out = value;
        return {};
      }
      known.emplace_back(word);
    }
    return unknown(known);
  }

  /// The expected value, in words. Only a warning if the source is lenient.
  Expected<void> wrong(std::string_view expected, std::string hint = "") const;

 private:
  Expected<void> whole_number(std::optional<std::uint64_t>& out, std::uint64_t least,
                              std::uint64_t most) const;
  Expected<void> unknown(const std::vector<std::string>& known) const;
  bool left_to_default() const { return is("Default_Value"); }

  const ParameterSource* source_;
  std::uint64_t line_;
  std::string where_;
  std::string_view text_;
};

}  // namespace busline::skampi
