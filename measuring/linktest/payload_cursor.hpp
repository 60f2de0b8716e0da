// Reads the numbers and texts of one rank's stream, in order, and says where in which file they lie.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/sion/container.hpp"
#include "sim/base/error.hpp"

namespace busline::linktest {

/// Never reads beyond the end: after a read that did not fit, `ok()` is false, the position stays where that
/// read began, and every further read gives 0 or an empty text.
class PayloadCursor {
 public:
  PayloadCursor(const sion::Container& container, std::uint32_t rank, sion::ByteOrder order)
      : stream_(container.stream(rank)), rank_(rank), order_(order) {}

  bool ok() const { return ok_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t size() const { return stream_.size(); }
  std::uint64_t left() const { return stream_.size() - position_; }
  /// At most the end of the stream.
  void move_to(std::uint64_t position) { position_ = position; }

  template <class Number>
  Number read() {
    char bytes[sizeof(Number)] = {};
    take(bytes, sizeof bytes);
    return sion::load<Number>(bytes, order_);
  }
  template <class Number>
  void read(Number* to, std::size_t count) {
    auto* const bytes = reinterpret_cast<char*>(to);
    if (count > left() / sizeof(Number)) ok_ = false;
    if (!take(bytes, ok_ ? count * sizeof(Number) : 0)) return;
    for (std::size_t i = 0; i < count; ++i) to[i] = sion::load<Number>(bytes + i * sizeof(Number), order_);
  }
  template <class Number>
  std::vector<Number> read_all(std::uint64_t count) {
    if (count > left() / sizeof(Number)) ok_ = false;
    std::vector<Number> all(ok_ ? static_cast<std::size_t>(count) : 0);
    read(all.data(), all.size());
    return all;
  }
  /// `bytes` bytes as they are.
  std::string read_bytes(std::size_t bytes) {
    if (bytes > left()) ok_ = false;
    std::string text(ok_ ? bytes : 0, '\0');
    take(text.data(), text.size());
    return text;
  }
  /// The text in `bytes` bytes, up to the first NUL.
  std::string read_text(std::size_t bytes) {
    auto text = read_bytes(bytes);
    text.resize(std::min(text.find('\0'), text.size()));
    return text;
  }
  /// Whether these bytes are next. Does not move.
  bool sees(std::string_view bytes) const;

  /// An Error about what is at `position`: "rank 3, host name".
  Error wrong(std::uint64_t position, std::string_view what, std::string message,
              std::string hint = {}) const;
  /// That `what` goes beyond the end of the stream.
  Error cut(std::string_view what) const;

 private:
  bool take(char* to, std::size_t n) {
    if (!ok_ || n > left()) return ok_ = false;
    stream_.read(position_, to, n);
    position_ += n;
    return true;
  }

  sion::RankStream stream_;
  std::uint32_t rank_;
  sion::ByteOrder order_;
  std::uint64_t position_ = 0;
  bool ok_ = true;
};

}  // namespace busline::linktest
