// Lines of the tables that benchmarks print, and the numbers in them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::measure {

/// Goes through a text line by line. The text must outlive it.
class TextLines {
 public:
  TextLines(std::string_view text, std::string path) : rest_(text), path_(std::move(path)) {}

  /// False at the end.
  bool next();
  /// Without blanks at both ends.
  std::string_view text() const { return text_; }
  std::uint64_t number() const { return number_; }
  const std::string& path() const { return path_; }
  /// Whether the line has a line end; without it the file may have been cut there.
  bool is_whole() const { return whole_; }
  bool is_comment() const { return text_.starts_with('#'); }
  /// A row of a table begins with a digit.
  bool is_row() const { return !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; }

  /// About the line.
  Error error(std::string message, std::string hint = {}) const;
  Diagnostic warning(std::string code, std::string message) const;

  /// The numbers of a row, all finite and not negative. An Error unless it has exactly `columns` valid
  /// numbers.
  Expected<std::vector<double>> numbers(std::size_t columns) const;
  /// A number of a row as bytes or ranks; an Error if it is not whole or above 2^53.
  Expected<std::uint64_t> whole(double number) const;

 private:
  std::string_view rest_, text_;
  std::string path_;
  std::uint64_t number_ = 0;
  bool whole_ = true;
};

/// Calls comment() for the lines that begin with # and row() for rows of tables, in order. The first Error of
/// row() ends it.
template <class Comment, class Row>
Expected<void> for_each_line(TextLines& lines, Comment comment, Row row) {
  while (lines.next()) {
    if (lines.is_comment()) {
      comment();
    } else if (lines.is_row()) {
      if (auto read = row(); !read) return read;
    }
  }
  return {};
}

/// Words between blanks.
std::vector<std::string_view> words(std::string_view text);
/// Titles of columns, which have single blanks in them and two or more between them.
std::vector<std::string_view> titles(std::string_view text);
/// The whole number after `key` in a text such as "# #processes = 8"; nothing if there is none up to `most`.
std::optional<std::uint32_t> number_after(std::string_view text, std::string_view key, std::uint32_t most);

}  // namespace busline::measure
