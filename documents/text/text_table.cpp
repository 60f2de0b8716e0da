#include "documents/text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace busline {

void TextTable::add(std::vector<std::string> row) {
  widths_.resize(std::max(widths_.size(), row.size()));
  for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].size());
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::string text;
  if (!has_rows()) return text;
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text +=
          i == 0 ? fmt::format("  {:<{}}", row[i], widths_[i]) : fmt::format("  {:>{}}", row[i], widths_[i]);
    text += "\n";
  }
  return text;
}

std::string labelled_line(std::string_view label, std::string_view value) {
  return fmt::format("{:<21}{}\n", label, value);
}

}  // namespace busline
