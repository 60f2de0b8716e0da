// Numbers in a file whose byte order is known only when it is read.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace busline::sion {

enum class ByteOrder : std::uint8_t { little, big };

constexpr ByteOrder opposite(ByteOrder order) {
  return order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
}

namespace detail {

inline constexpr ByteOrder kNative =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

template <class Number>
void turn(std::array<char, sizeof(Number)>& bytes, ByteOrder order) {
  static_assert(std::is_arithmetic_v<Number>);
  if (order != kNative) std::reverse(bytes.begin(), bytes.end());
}

}  // namespace detail

/// The number, an integer or a double, whose bytes start at `at`; that many bytes must be there.
template <class Number>
Number load(const char* at, ByteOrder order) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), at, bytes.size());
  detail::turn<Number>(bytes, order);
  return std::bit_cast<Number>(bytes);
}

/// Writes the bytes of `number` to `at`, where there must be room.
template <class Number>
void store(char* at, Number number, ByteOrder order) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  detail::turn<Number>(bytes, order);
  std::memcpy(at, bytes.data(), bytes.size());
}

}  // namespace busline::sion
