// Text tables whose columns are as wide as their contents.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace busline {

/// The first column is aligned left, the others right. Two blanks precede each.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading) { add(std::move(heading)); }
  /// As many cells as the heading has.
  void add(std::vector<std::string> row);
  bool has_rows() const { return rows_.size() > 1; }
  /// Heading and rows, one line each; empty without rows.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

/// A line of a page with a single fact: a label, and its value from column 21 on.
std::string labelled_line(std::string_view label, std::string_view value);

}  // namespace busline
