// What readers of a text format's first line have in common: a place in the line, and errors that name it.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"

namespace busline {

class HeaderLine {
 protected:
  /// Both must outlive this.
  HeaderLine(std::string_view line, const std::string& path) : line_(line), path_(path) {}

  /// An Error at the place where reading is.
  tl::unexpected<Error> refuse(std::string message, std::string hint = {}) const {
    Error e;
    e.path = path_;
    e.line = 1;
    e.column = at_ + 1;
    e.where = "header";
    e.message = std::move(message);
    e.hint = std::move(hint);
    return tl::unexpected(std::move(e));
  }

  /// Passes `text` if it is what comes next.
  bool take(std::string_view text) {
    if (line_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }

  /// A whole number of 64 bits.
  std::optional<std::uint64_t> number() {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(line_.data() + at_, line_.data() + line_.size(), n);
    if (error != std::errc{}) return std::nullopt;
    at_ = static_cast<std::size_t>(end - line_.data());
    return n;
  }

  std::string_view line_;
  const std::string& path_;
  std::size_t at_ = 0;
};

}  // namespace busline
