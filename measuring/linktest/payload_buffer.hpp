// Collects the numbers and texts of one rank's stream.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "measuring/sion/byte_order.hpp"

namespace busline::linktest {

class PayloadBuffer {
 public:
  PayloadBuffer(sion::ByteOrder order, std::size_t expected) : order_(order) { bytes_.reserve(expected); }

  template <class Number>
  void put(Number number) {
    char bytes[sizeof number];
    sion::store(bytes, number, order_);
    bytes_.append(bytes, sizeof bytes);
  }
  template <class List>
  void put_all(const List& numbers) {
    for (const auto number : numbers) put(number);
  }
  void put_bytes(std::string_view bytes) { bytes_.append(bytes); }
  /// `bytes` bytes with a text of less than that, filled up with NULs.
  void put_text(std::string_view text, std::size_t bytes) {
    text = text.substr(0, bytes - 1);
    bytes_.append(text).append(bytes - text.size(), '\0');
  }
  std::string take() { return std::move(bytes_); }

 private:
  sion::ByteOrder order_;
  std::string bytes_;
};

}  // namespace busline::linktest
