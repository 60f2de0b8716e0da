#include "measuring/skampi/measurement_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"

namespace busline::skampi {
namespace {

using measure::Scale;
using measure::Varies;

// ---- keys

using ReadKey = Expected<void> (*)(SuiteParameters&, const ParameterValue&);
struct Key {
  std::string_view name;
  ReadKey read;
};

constexpr std::uint64_t kMostType = std::numeric_limits<std::uint32_t>::max();

Expected<void> read_end(SuiteParameters& s, const ParameterValue& v) {
  if (v.is("Max_Value")) {
    s.end.reset();
    return {};
  }
  return v.whole(s.end, 0, measure::kLargestArgument);
}

using S = SuiteParameters;
using V = ParameterValue;
const std::array<Key, 20> kKeys{{
    {"Type", [](S& s, const V& v) { return v.whole(s.type, 1, kMostType); }},
    {"Operation",
     [](S& s, const V& v) -> Expected<void> {
       s.operation = v.text();
       return {};
     }},
    {"Variation", [](S& s, const V& v) { return v.choice(s.varies, variation_words()); }},
    {"Scale", [](S& s, const V& v) { return v.choice(s.scale, kScaleWords); }},
    {"Max_Repetition",
     [](S& s, const V& v) {
       return v.whole(s.limits.repetition.max_repetitions, 1, measure::kMostRepetitions);
     }},
    {"Min_Repetition",
     [](S& s, const V& v) {
       return v.whole(s.limits.repetition.min_repetitions, 1, measure::kMostRepetitions);
     }},
    {"Multiple_of",
     [](S& s, const V& v) { return v.whole(s.limits.multiple_of, 1, measure::kLargestArgument); }},
    {"Time_Measurement", [](S& s, const V& v) { return v.minutes(s.limits.repetition.time_limit); }},
    {"Time_Suite", [](S& s, const V& v) { return v.minutes(s.limits.time_suite); }},
    {"Node_Times", [](S& s, const V& v) { return v.choice(s.node_times, kYesOrNo); }},
    {"Cut_Quantile", [](S& s, const V& v) { return v.cut_quantile(s.limits.repetition.cut_quantile); }},
    {"Default_Chunks", [](S& s, const V& v) { return v.whole(s.chunks, 0, measure::kLargestArgument); }},
    {"Default_Message_length",
     [](S& s, const V& v) { return v.whole(s.message, 0, measure::kLargestArgument); }},
    {"Start_Argument", [](S& s, const V& v) { return v.whole(s.start, 0, measure::kLargestArgument); }},
    {"End_Argument", read_end},
    {"Stepwidth",
     [](S& s, const V& v) {
       double step = 0;
       auto read = v.number(
           step, [](double x) { return x > 0; }, "a number above 0");
       if (step > 0) s.step = step;
       return read;
     }},
    {"Max_Steps", [](S& s, const V& v) { return v.whole(s.limits.max_steps, 1, measure::kMostArguments); }},
    {"Min_Distance", [](S& s, const V& v) { return v.whole(s.min_distance, 0, measure::kLargestArgument); }},
    {"Max_Distance", [](S& s, const V& v) { return v.whole(s.max_distance, 0, measure::kLargestArgument); }},
    {"Standard_error", [](S& s, const V& v) { return v.standard_error(s.limits.repetition.precision); }},
}};

const Key* find_key(std::string_view name) {
  const auto bare = bare_name(name);
  const auto* const found =
      std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& k) { return bare_name(k.name) == bare; });
  return found == kKeys.end() ? nullptr : found;
}

std::string nearest_key(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& k : kKeys) known.emplace_back(k.name);
  return nearest_name(known, name.substr(0, kLongestName));
}

// ---- words

struct Word {
  std::string_view text;  // empty: the end
  std::uint64_t line = 0;
};

bool is_mark(char c) {
  return c == '{' || c == '}' || c == '=' || c == ';';
}
bool is_blank(char c) {
  return trimmed({&c, 1}).empty();
}

// Splits a text into words and the marks { } = ; and drops comments after # or //.
class Words {
 public:
  Words(std::string_view text, std::uint64_t line) : text_(text), line_(line) { next(); }
  const Word& now() const { return now_; }
  void next() {
    skip_blanks();
    std::size_t length = 0;
    while (length < text_.size() && !is_blank(text_[length]) && !comment_at(length)) {
      if (is_mark(text_[length])) {
        if (length == 0) length = 1;
        break;
      }
      ++length;
    }
    now_ = {text_.substr(0, length), line_};
    text_.remove_prefix(length);
  }

 private:
  bool comment_at(std::size_t at) const { return text_[at] == '#' || text_.substr(at, 2) == "//"; }
  void skip_blanks() {
    while (!text_.empty()) {
      if (comment_at(0))
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      else if (!is_blank(text_[0]))
        return;
      if (text_.empty()) return;
      if (text_[0] == '\n') ++line_;
      text_.remove_prefix(1);
    }
  }

  std::string_view text_;
  std::uint64_t line_;
  Word now_;
};

std::string found(const Word& word) {
  return word.text.empty() ? "the section ends" : fmt::format("found '{}'", printable(word.text));
}

// ---- blocks

class BlockReader {
 public:
  BlockReader(Words& words, const ParameterSource& source, const SuiteLimits& defaults)
      : words_(words), source_(source) {
    suite_.limits = defaults;
  }

  Expected<SuiteParameters> read() {
    const auto name = words_.now();
    if (is_mark(name.text[0]))
      return wrong(name, "expected the name of a suite of measurements, " + found(name));
    suite_.name = name.text;
    suite_.line = name.line;
    if (!is_utf8(suite_.name) || printable(suite_.name, suite_.name.size()) != suite_.name)
      return wrong(name, fmt::format("'{}' cannot be a name: it is not plain text", printable(name.text)));
    words_.next();
    if (words_.now().text != "{")
      return wrong(
          words_.now(),
          fmt::format("expected '{{' after the name {}, {}", printable(suite_.name), found(words_.now())),
          "a name is one word, such as MPI_Bcast-nodes");
    words_.next();
    while (words_.now().text != "}")
      if (const auto read = read_key(); !read) return tl::unexpected(read.error());
    words_.next();
    if (auto complete = check(); !complete) return tl::unexpected(std::move(complete.error()));
    return std::move(suite_);
  }

 private:
  tl::unexpected<Error> wrong(const Word& at, std::string message, std::string hint = "") const {
    return tl::unexpected(source_.error(at.line, suite_.name, std::move(message), std::move(hint)));
  }

  // key = value ;
  Expected<void> read_key() {
    const auto name = words_.now();
    if (name.text.empty() || is_mark(name.text[0]))
      return wrong(name, "expected a key or '}', " + found(name),
                   fmt::format("the block began in line {}", suite_.line));
    const auto* const key = find_key(name.text);
    if (key == nullptr) {
      const auto near = nearest_key(name.text);
      return wrong(
          name, fmt::format("unknown key '{}'", printable(name.text)),
          near.empty() ? "docs/reference/skampi.md lists the keys" : fmt::format("did you mean {}?", near));
    }
    if (!keys_.insert(key->name).second)
      return wrong(name, fmt::format("{} occurs a second time", key->name));
    words_.next();
    if (words_.now().text != "=")
      return wrong(words_.now(), fmt::format("expected '=' after {}, {}", key->name, found(words_.now())));
    words_.next();
    std::string text;
    while (!words_.now().text.empty() && !is_mark(words_.now().text[0])) {
      if (!text.empty()) text += ' ';
      text += words_.now().text;
      words_.next();
    }
    if (words_.now().text != ";")
      return wrong(words_.now(),
                   fmt::format("expected ';' after the value of {}, {}", key->name, found(words_.now())),
                   fmt::format("{} is on line {}", key->name, name.line));
    words_.next();
    const ParameterValue value(source_, name.line, fmt::format("{} of {}", key->name, suite_.name), text);
    if (text.empty()) return value.wrong("a value before ';'");
    return key->read(suite_, value);
  }

  // Constraints between keys, and values derived from others.
  Expected<void> check() {
    const Word at{"", suite_.line};
    if (suite_.type == 0 && suite_.operation.empty())
      return wrong(at, "neither Type nor Operation says what is measured",
                   "such as 'Type = 1;' or 'Operation = MPI_Send-MPI_Recv;'");
    if (suite_.type != 0 && !suite_.operation.empty())
      return wrong(at, "both Type and Operation say what is measured, expected one of them");
    if (suite_.scale && measure::is_log(*suite_.scale) && suite_.step && *suite_.step <= 1) {
      const auto message =
          fmt::format("Stepwidth is {}: a logarithmic scale needs more than 1", *suite_.step);
      if (!source_.lenient) return wrong(at, message, "each argument is the one before it times Stepwidth");
      suite_.step.reset();
      source_.warn(suite_.line, "default-value",
                   fmt::format("{}: {}: using the default", suite_.name, message));
    }
    if (suite_.start && suite_.end && *suite_.start > *suite_.end)
      return wrong(at,
                   fmt::format("Start_Argument is {}, but End_Argument is {}", *suite_.start, *suite_.end));
    return {};
  }

  Words& words_;
  const ParameterSource& source_;
  SuiteParameters suite_;
  std::set<std::string_view> keys_;
};

}  // namespace

Expected<void> parse_measurement_blocks(std::string_view text, std::uint64_t line,
                                        const ParameterSource& source, ParameterFile& file) {
  std::map<std::string, std::size_t> names;  // and how many suites have or want them
  for (const auto& s : file.suites) names[s.name] = 1;
  Words words(text, line);
  while (!words.now().text.empty()) {
    auto suite = BlockReader(words, source, file.defaults).read();
    if (!suite) return tl::unexpected(std::move(suite.error()));
    if (auto& count = names[suite->name]; ++count > 1) {
      const auto message = fmt::format("two suites are named {}", suite->name);
      if (!source.lenient)
        return tl::unexpected(
            source.error(suite->line, suite->name, message, "suite names identify results"));
      std::string other;
      do other = fmt::format("{}_{}", suite->name, count++);
      while (++names[other] > 1);
      source.warn(suite->line, "renamed", fmt::format("{}: this one becomes {}", message, other));
      suite->name = other;
    }
    file.suites.push_back(std::move(*suite));
  }
  return {};
}

}  // namespace busline::skampi
