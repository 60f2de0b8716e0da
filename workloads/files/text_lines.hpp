// Text on its way into a sink, through a buffer: for files of many short lines.
#pragma once
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/error.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// finish() returns the first Error of the sink; text after it is dropped. Compose a line with `put` and end
/// it: the buffer is flushed only at the end of a line.
class TextLines {
 public:
  /// `sink` must outlive this.
  explicit TextLines(ByteSink& sink) : sink_(sink) { buffer_.reserve(kBuffer + kLine); }

  void put(std::string_view text) { buffer_ += text; }
  void put(char c) { buffer_ += c; }
  void number(std::int64_t n) {
    std::array<char, 20> digits;  // "-9223372036854775808"
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
    buffer_.append(digits.data(), end);
  }
  /// `n` / 10^`digits`, exact: decimal(1500, 6) is "0.001500". `n` is not negative, `digits` is 1 to 18.
  void decimal(std::int64_t n, std::size_t digits) {
    std::int64_t unit = 1;
    for (std::size_t i = 0; i < digits; ++i) unit *= 10;
    number(n / unit);
    buffer_ += '.';
    auto fraction = n % unit;
    buffer_.resize(buffer_.size() + digits);
    for (auto at = buffer_.size(); digits > 0; --digits, fraction /= 10)
      buffer_[--at] = static_cast<char>('0' + fraction % 10);
  }
  void end_line() {
    buffer_ += '\n';
    if (buffer_.size() >= kBuffer) flush();
  }
  void line(std::string_view text) {
    put(text);
    end_line();
  }

  /// Bytes so far.
  std::uint64_t offset() const { return written_ + buffer_.size(); }
  bool failed() const { return error_.has_value(); }
  Expected<void> finish() {
    flush();
    if (error_) return tl::unexpected(*std::move(error_));
    return {};
  }

 private:
  static constexpr std::size_t kBuffer = 1U << 20, kLine = 256;

  void flush() {
    if (!error_)
      if (auto done = sink_.write(buffer_); !done) error_ = std::move(done.error());
    written_ += buffer_.size();
    buffer_.clear();
  }

  ByteSink& sink_;
  std::string buffer_;
  std::uint64_t written_ = 0;
  std::optional<Error> error_;
};

}  // namespace busline
