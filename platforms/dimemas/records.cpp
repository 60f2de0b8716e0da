#include "platforms/dimemas/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "documents/fields/printable.hpp"

namespace busline::dimemas {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string_view trim(std::string_view s) {
  const auto first = s.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlanks) - first + 1);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Reads one record from its line.
class Splitter {
 public:
  Splitter(const Line& line, const std::string& path) : line_(line), path_(path) {}

  Expected<Record> record() {
    const auto name = quoted();
    if (!name) return refuse("expected a record, as in \"environment information\" {...};;");
    Record r{*name, line_.number, {}};
    where_ = printable(*name);
    skip_blanks();
    if (!take('{')) return refuse("expected '{' after the record's name");
    do {
      auto f = field();
      if (!f) return tl::unexpected(std::move(f.error()));
      r.fields.push_back(std::move(*f));
      skip_blanks();
    } while (take(','));
    if (!take('}')) return refuse("expected ',' or '}' after a field");
    skip_blanks();
    if (!take(';') || !take(';') || at_ != line_.text.size())
      return refuse("expected the record to end with '};;'");
    return r;
  }

 private:
  char here() const { return at_ < line_.text.size() ? line_.text[at_] : '\0'; }
  bool take(char c) {
    if (here() != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ < line_.text.size() && has(kBlanks, line_.text.substr(at_, 1))) ++at_;
  }
  tl::unexpected<Error> refuse(std::string message) const {
    auto e = error_in_line(path_, line_.number, where_, std::move(message));
    e.column = line_.column + at_;
    return tl::unexpected(std::move(e));
  }

  std::optional<std::string> quoted() {
    if (here() != '"') return std::nullopt;
    const auto end = line_.text.find('"', at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const auto inside = line_.text.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return std::string(inside);
  }
  std::string_view until(std::string_view stops) {
    const auto end = std::min(line_.text.find_first_of(stops, at_), line_.text.size());
    const auto word = trim(line_.text.substr(at_, end - at_));
    at_ = end;
    return word;
  }

  Expected<Field> field() {
    skip_blanks();
    Field f;
    f.column = line_.column + at_;
    if (here() == '"') {
      auto text = quoted();
      if (!text) return refuse("expected a closing '\"'");
      f.kind = Field::Kind::text;
      f.text = std::move(*text);
    } else if (take('[')) {
      f.kind = Field::Kind::list;
      f.text = until("]");
      if (!take(']')) return refuse("expected a list, as in [2] {0, 1}");
      skip_blanks();
      if (!take('{')) return refuse("expected a list, as in [2] {0, 1}");
      do {
        f.items.emplace_back(until(",}"));
      } while (take(','));
      if (!take('}')) return refuse("expected ',' or '}' in a list");
      if (f.items.size() == 1 && f.items[0].empty()) f.items.clear();
    } else {
      f.text = until(",}");
    }
    return f;
  }

  const Line& line_;
  const std::string& path_;
  std::string where_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto raw = text.substr(0, end);
    if (const auto trimmed = trim(raw); !trimmed.empty())
      lines.push_back({trimmed, number, static_cast<std::size_t>(trimmed.data() - raw.data()) + 1});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Field> split_words(const Line& line, std::size_t from) {
  std::vector<Field> words;
  for (auto at = line.text.find_first_not_of(kBlanks, from); at < line.text.size();) {
    const auto end = std::min(line.text.find_first_of(kBlanks, at), line.text.size());
    words.push_back({Field::Kind::word, std::string(line.text.substr(at, end - at)), {}, line.column + at});
    at = line.text.find_first_not_of(kBlanks, end);
  }
  return words;
}

Expected<std::vector<Record>> split_records(std::string_view text, const std::string& path,
                                            Diagnostics& diagnostics) {
  std::vector<Record> records;
  std::size_t comment_since = 0;
  for (const auto& line : split_lines(text)) {
    if (line.number == 1) continue;
    if (comment_since == 0 && has(line.text, "//")) {
      if (line.text[0] == '"')
        diagnostics.push_back(remark(Diagnostic::Severity::warning, "skipped-record",
                                     "this record is skipped, as in Dimemas, because its line holds '//'",
                                     path, line.number));
      continue;
    }
    if (comment_since == 0 && has(line.text, "/*")) comment_since = line.number;
    if (comment_since != 0) {
      if (has(line.text, "*/")) comment_since = 0;
      continue;
    }
    auto record = Splitter(line, path).record();
    if (!record) return tl::unexpected(std::move(record.error()));
    records.push_back(std::move(*record));
  }
  if (comment_since != 0)
    return tl::unexpected(
        error_in_line(path, comment_since, {}, "this comment never ends, expected a line with '*/'"));
  return records;
}

Diagnostic remark(Diagnostic::Severity severity, std::string code, std::string message,
                  const std::string& path, std::size_t line) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.message = std::move(message);
  d.path = path;
  d.line = line;
  return d;
}

Error error_in_line(const std::string& path, std::size_t line, std::string where, std::string message) {
  Error e;
  e.path = path;
  e.line = line;
  e.where = std::move(where);
  e.message = std::move(message);
  return e;
}

}  // namespace busline::dimemas
