// The text of a Dimemas trace on its way into a sink: whole lines of numbers with colons between them.
#pragma once
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/error.hpp"
#include "sim/units.hpp"
#include "workloads/dim/record_codes.hpp"
#include "workloads/output_file.hpp"

namespace busline::dim {

/// Buffered. An Error of the sink is kept and given by finish(); what follows it is dropped.
class DimText {
 public:
  explicit DimText(ByteSink& sink) : sink_(sink) { buffer_.reserve(kBuffer + kLine); }

  void line(std::string_view text) { (buffer_ += text) += '\n', end_line(); }
  /// "2:0:0:1:-1:8:4:1:0"
  void line(std::initializer_list<std::int64_t> fields) {
    for (const auto f : fields) {
      number(f);
      buffer_ += ':';
    }
    buffer_.back() = '\n';
    end_line();
  }
  /// "1:0:0:0.001000000": exact, with 9 digits or 12 after the point. `d` is not negative.
  void burst(std::int64_t task, std::int64_t thread, Duration d) {
    number(record::kBurst);
    buffer_ += ':';
    number(task);
    buffer_ += ':';
    number(thread);
    buffer_ += ':';
    number(d.count() / kSecond);
    buffer_ += '.';
    auto fraction = d.count() % kSecond;
    const bool nanoseconds = fraction % 1000 == 0;
    if (nanoseconds) fraction /= 1000;
    std::size_t digits = nanoseconds ? 9 : 12;
    buffer_.resize(buffer_.size() + digits);
    for (auto at = buffer_.size(); digits > 0; --digits, fraction /= 10)
      buffer_[--at] = static_cast<char>('0' + fraction % 10);
    buffer_ += '\n';
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

  void number(std::int64_t n) {
    std::array<char, 20> digits;  // "-9223372036854775808"
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
    buffer_.append(digits.data(), end);
  }
  void end_line() {
    if (buffer_.size() >= kBuffer) flush();
  }
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

}  // namespace busline::dim
