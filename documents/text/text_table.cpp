#include "documents/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace busline {
namespace {

constexpr std::size_t kGap = 2;  // before each column
std::size_t text_width = 0;      // of the terminal; 0: no limit

}  // namespace

void set_text_width(std::size_t columns) {
  text_width = columns;
}

void TextTable::add(std::vector<std::string> row) {
  widths_.resize(std::max(widths_.size(), row.size()));
  for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
  rows_.push_back(std::move(row));
}

std::string TextTable::columns_text(std::size_t first, std::size_t end) const {
  std::string text;
  for (const auto& row : rows_) {
    const auto add = [&](std::size_t i, bool is_last) {
      text += left_.contains(i) ? fmt::format("  {:<{}}", row[i], is_last && i > 0 ? 0 : widths_[i])
                                : fmt::format("  {:>{}}", row[i], widths_[i]);
    };
    const auto last = std::min(end, row.size());
    if (!row.empty()) add(0, false);
    for (auto i = first; i < last; ++i) add(i, i + 1 == last);
    text += "\n";
  }
  return text;
}

std::string TextTable::text() const {
  std::string text;
  if (!has_rows()) return text;
  if (text_width == 0) return columns_text(1, widths_.size());
  std::size_t first = 1;
  do {
    auto width = kGap + widths_[0];
    auto end = first;
    while (end < widths_.size() && (end == first || width + kGap + widths_[end] <= text_width))
      width += kGap + widths_[end++];
    text += (first == 1 ? "" : "\n") + columns_text(first, end);
    first = end;
  } while (first < widths_.size());
  return text;
}

std::string labelled_line(std::string_view label, std::string_view value) {
  return fmt::format("{:<21}{}\n", label, value);
}

}  // namespace busline
