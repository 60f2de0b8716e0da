// Big-endian integers and arrays of them as they lie in a mapped file: nothing is copied, nothing is aligned.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace busline::dumpi {

/// The integer whose big-endian bytes start at `at`; that many bytes must exist.
template <class Int>
Int load_big_endian(const char* at) {
  using Bits = std::make_unsigned_t<Int>;
  Bits v{};
  std::memcpy(&v, at, sizeof v);
  if constexpr (std::endian::native == std::endian::little) {
    if constexpr (sizeof v == 2) v = __builtin_bswap16(v);
    if constexpr (sizeof v == 4) v = __builtin_bswap32(v);
    if constexpr (sizeof v == 8) v = __builtin_bswap64(v);
  }
  return static_cast<Int>(v);
}

/// `size()` integers in a file.
template <class Int>
class IntegerView {
 public:
  IntegerView() = default;
  IntegerView(const char* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Int operator[](std::size_t i) const { return load_big_endian<Int>(data_ + i * sizeof(Int)); }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Reads forward within a range of bytes. After a read that did not fit, `ok()` is false, the position stays
/// where the read began, and every further read gives 0.
class ByteCursor {
 public:
  ByteCursor(std::string_view bytes, std::size_t position) : bytes_(bytes), position_(position) {
    if (position > bytes.size()) {
      ok_ = false;
      position_ = bytes.size();
    }
  }
  bool ok() const { return ok_; }
  std::size_t position() const { return position_; }
  std::size_t left() const { return bytes_.size() - position_; }
  const char* here() const { return bytes_.data() + position_; }

  template <class Int>
  Int read() {
    if (!ok_ || left() < sizeof(Int)) {
      ok_ = false;
      return 0;
    }
    const Int v = load_big_endian<Int>(here());
    position_ += sizeof(Int);
    return v;
  }
  /// `count` elements of `each` bytes; returns their start, or nullptr. `each` is at least 1.
  const char* take(std::uint64_t count, std::size_t each) {
    if (!ok_ || count > left() / each) {
      ok_ = false;
      return nullptr;
    }
    const char* const at = here();
    position_ += static_cast<std::size_t>(count) * each;
    return at;
  }
  /// A text with a 16-bit length before it.
  std::string_view read_text16() {
    const auto n = read<std::uint16_t>();
    const char* const at = take(n, 1);
    return at == nullptr ? std::string_view() : std::string_view(at, n);
  }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace busline::dumpi
