// Reads the values of OTF2 records. Integers are stored as a length byte and that many bytes, unless a field
// has a fixed width. Source: the format as OTF2 3.0 writes it (trace format 2, which 1.0 to 3.x share).
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace busline::otf2 {

/// The ids and numbers that stand for "undefined": one byte 0xff in a file.
inline constexpr std::uint32_t kUndefined = 0xffff'ffff;

/// Reads forward within a range of bytes. After a value that did not fit, `ok()` is false, the position stays
/// and every further value is 0.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::size_t position, bool big_endian)
      : bytes_(bytes), position_(position), big_endian_(big_endian) {}

  bool ok() const { return ok_; }
  std::size_t position() const { return position_; }
  std::size_t left() const { return ok_ ? bytes_.size() - position_ : 0; }
  void set_big_endian(bool big) { big_endian_ = big; }

  std::uint8_t byte() { return left() < 1 ? fail() : static_cast<std::uint8_t>(bytes_[position_++]); }
  /// A number of 4 or 8 bytes.
  template <class Int>
  Int fixed() {
    static_assert(sizeof(Int) == 4 || sizeof(Int) == 8);
    if (left() < sizeof(Int)) return fail();
    Int v{};
    std::memcpy(&v, bytes_.data() + position_, sizeof v);
    position_ += sizeof v;
    if (big_endian_ != (std::endian::native == std::endian::big)) {
      if constexpr (sizeof v == 4) v = static_cast<Int>(__builtin_bswap32(v));
      if constexpr (sizeof v == 8) v = static_cast<Int>(__builtin_bswap64(v));
    }
    return v;
  }
  /// A compressed number of at most 8 bytes; all bits set if undefined.
  std::uint64_t number() { return compressed(8); }
  /// The same of at most 4 bytes.
  std::uint32_t number32() { return static_cast<std::uint32_t>(compressed(4)); }
  /// A text up to its zero byte, which is skipped.
  std::string_view text() {
    if (left() == 0) return fail(), std::string_view();
    const auto end = bytes_.find('\0', position_);
    if (end == std::string_view::npos) return fail(), std::string_view();
    const auto t = bytes_.substr(position_, end - position_);
    position_ = end + 1;
    return t;
  }
  /// The next `n` bytes.
  std::string_view take(std::uint64_t n) {
    if (n > left()) return fail(), std::string_view();
    const auto t = bytes_.substr(position_, static_cast<std::size_t>(n));
    position_ += static_cast<std::size_t>(n);
    return t;
  }
  /// The length in front of a record's values: one byte, or 0xff and 8 bytes.
  std::uint64_t record_length() {
    const auto n = byte();
    return n == 0xff ? fixed<std::uint64_t>() : n;
  }

 private:
  std::uint8_t fail() {
    ok_ = false;
    return 0;
  }
  std::uint64_t compressed(std::size_t most) {
    const std::size_t n = byte();
    if (n == 0) return 0;
    if (n == 0xff) return std::numeric_limits<std::uint64_t>::max();
    if (n > most || n > left()) return fail();
    const auto* const at = bytes_.data() + position_;
    std::uint64_t v = 0;
    if (!big_endian_ && std::endian::native == std::endian::little && left() >= sizeof v) {
      std::memcpy(&v, at, sizeof v);
      v &= std::numeric_limits<std::uint64_t>::max() >> 8U * (sizeof v - n);
    } else {
      for (std::size_t i = 0; i < n; ++i)
        v |= std::uint64_t{static_cast<unsigned char>(at[i])} << 8U * (big_endian_ ? n - 1 - i : i);
    }
    position_ += n;
    return v;
  }

  std::string_view bytes_;
  std::size_t position_;
  bool big_endian_;
  bool ok_ = true;
};

}  // namespace busline::otf2
