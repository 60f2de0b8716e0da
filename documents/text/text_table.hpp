// Text tables whose columns are as wide as their contents.
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace busline {

/// From now on tables fold at this many columns; 0, as at the start: never. Call it once, before other
/// threads start.
void set_text_width(std::size_t columns);

/// The first column is aligned left, the others right unless align_left() says otherwise. Two blanks precede
/// each.
class TextTable {
 public:
  /// Columns are at least as wide as `least` says, which may be shorter than the heading.
  explicit TextTable(std::vector<std::string> heading, std::vector<std::size_t> least = {})
      : widths_(std::move(least)) {
    add(std::move(heading));
  }
  /// As many cells as the heading has.
  void add(std::vector<std::string> row);
  /// From now on for this column; at the end of a line it is not filled up with blanks.
  void align_left(std::size_t column) { left_.insert(column); }
  bool has_rows() const { return rows_.size() > 1; }
  /// Heading and rows, one line each; empty without rows. If that is wider than set_text_width() allows:
  /// several such tables with an empty line in between, each with the first column and as many others as fit,
  /// at least one.
  std::string text() const;

 private:
  std::string columns_text(std::size_t first, std::size_t end) const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
  std::set<std::size_t> left_{0};
};

/// A line of a page with a single fact: a label, and its value from column 21 on.
std::string labelled_line(std::string_view label, std::string_view value);

}  // namespace busline
