// The values of a record's arguments for any call: for code that treats all calls alike, such as text dumps,
// comparisons and the writer. Nothing is copied; lists are views into the file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/sequence.hpp"

namespace busline::dumpi {

/// Numbers of one width: 1 byte (unsigned), 2 or 4 (signed).
class Numbers {
 public:
  Numbers(const char* data, std::size_t size, std::size_t width) : data_(data), size_(size), width_(width) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int32_t operator[](std::size_t i) const {
    const char* const at = data_ + i * width_;
    if (width_ == 1) return static_cast<unsigned char>(*at);
    return width_ == 2 ? load_big_endian<std::int16_t>(at) : load_big_endian<std::int32_t>(at);
  }

 private:
  const char* data_;
  std::size_t size_, width_;
};

class Statuses {
 public:
  Statuses(const char* data, std::size_t size, std::size_t width) : data_(data), size_(size), width_(width) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Status operator[](std::size_t i) const { return load_status(data_ + i * width_, width_); }

 private:
  const char* data_;
  std::size_t size_, width_;
};

/// An argument that a record does not have: one that only the root records, or statuses if none are recorded.
struct Absent {
  bool operator==(const Absent&) const = default;
};

/// By the argument's Shape: a number (byte, int16, int32, int64), a text, numbers (bytes, int16s, int32s),
/// lists of numbers, texts, lists of texts, statuses.
using Value =
    std::variant<Absent, std::int64_t, std::string_view, Numbers, Int32Lists, Texts, TextLists, Statuses>;

/// Argument `i` of a record; i < kLayouts[record.function].arguments. Valid as long as the record's file.
Value value_of(const Record& record, std::size_t i);

}  // namespace busline::dumpi
