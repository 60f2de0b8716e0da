// Call records as bytes, argument by argument: the counterpart of RecordReader. Cheap enough for a tracer,
// and independent of the reader.
#pragma once
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "workloads/dumpi/format/layout.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/values.hpp"
#include "workloads/dumpi/format/version.hpp"

namespace busline::dumpi {

/// Big-endian bytes, appended. Grows as needed.
class ByteBuffer {
 public:
  std::string_view bytes() const { return {bytes_.data(), size_}; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

  template <class Int>
  void put(Int value) {
    using Bits = std::make_unsigned_t<Int>;
    auto v = static_cast<Bits>(value);
    if constexpr (std::endian::native == std::endian::little) {
      if constexpr (sizeof v == 2) v = __builtin_bswap16(v);
      if constexpr (sizeof v == 4) v = __builtin_bswap32(v);
      if constexpr (sizeof v == 8) v = __builtin_bswap64(v);
    }
    std::memcpy(room_for(sizeof v), &v, sizeof v);
  }
  void put_bytes(std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(room_for(bytes.size()), bytes.data(), bytes.size());
  }
  /// A text after its length, which has type `Length`; longer texts are truncated.
  template <class Length>
  void put_text(std::string_view text) {
    text = text.substr(0, std::numeric_limits<Length>::max());
    put(static_cast<Length>(text.size()));
    put_bytes(text);
  }

 private:
  char* room_for(std::size_t n) {
    if (bytes_.size() - size_ < n) bytes_.resize(2 * bytes_.size() + n);
    char* const at = bytes_.data() + size_;
    size_ += n;
    return at;
  }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

/// Appends records to a buffer. Begin a record, add its arguments in the order of kLayouts, and end it:
///
///     writer.begin({.function = function_id("MPI_Barrier"), .mask = 0x48, .wall = stamps});
///     writer.number(2);
///     writer.end();
///
/// The arguments must have the shapes of the table; builds with assertions check this. Numbers are truncated
/// to the width of their argument.
class RecordWriter {
 public:
  explicit RecordWriter(ByteBuffer& to, Version version = kNewestKnown) : to_(to), version_(version) {}

  void begin(const RecordPrefix& prefix);
  void number(std::int64_t value);
  void text(std::string_view text);
  /// Lists are anything with size() and [i], or, if their elements are texts or lists, ranges that can be
  /// iterated.
  template <class List>
  void numbers(const List& list);
  template <class Lists>
  void number_lists(const Lists& lists);
  template <class List>
  void texts(const List& list);
  template <class Lists>
  void text_lists(const Lists& lists);
  /// Statuses. Writes nothing if the mask says that none are recorded.
  template <class List>
  void statuses(const List& list);
  /// An argument that this record does not have: root-only, or statuses.
  void absent();
  /// Any argument, as it was read.
  void value(const Value& value);
  void end();

 private:
  Shape next();
  void put_length(std::size_t n) { to_.put(static_cast<std::uint32_t>(n)); }
  void put_number(Shape shape, std::int64_t value);
  template <class List>
  void put_texts(const List& list);
  void put_status(const Status& status);

  ByteBuffer& to_;
  Version version_;
  std::uint16_t function_ = 0;
  std::uint8_t mask_ = 0;
  std::size_t argument_ = 0;
};

// Implementation.

inline Shape RecordWriter::next() {
  assert(argument_ < kLayouts[function_].arguments);
  return shape_in(version_, function_, argument_++);
}

inline void RecordWriter::put_number(Shape shape, std::int64_t value) {
  switch (shape) {
    case Shape::byte:
    case Shape::bytes:
      return to_.put(static_cast<std::uint8_t>(value));
    case Shape::int16:
    case Shape::int16s:
      return to_.put(static_cast<std::int16_t>(value));
    case Shape::int32:
    case Shape::int32s:
      return to_.put(static_cast<std::int32_t>(value));
    case Shape::int64:
      return to_.put(value);
    default:
      assert(false && "the argument is not a number");
  }
}

inline void RecordWriter::number(std::int64_t value) {
  const auto shape = next();
  assert(shape <= Shape::int64);
  put_number(shape, value);
}

template <class List>
void RecordWriter::numbers(const List& list) {
  const auto shape = next();
  assert(shape == Shape::bytes || shape == Shape::int16s || shape == Shape::int32s);
  const std::size_t n = list.size();
  put_length(n);
  for (std::size_t i = 0; i < n; ++i) put_number(shape, list[i]);
}

template <class Lists>
void RecordWriter::number_lists(const Lists& lists) {
  [[maybe_unused]] const auto shape = next();
  assert(shape == Shape::int32_lists);
  put_length(lists.size());
  for (const auto& list : lists) {
    put_length(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) put_number(Shape::int32, list[i]);
  }
}

template <class List>
void RecordWriter::put_texts(const List& list) {
  put_length(list.size());
  for (const std::string_view text : list) to_.put_text<std::uint32_t>(text);
}

template <class List>
void RecordWriter::texts(const List& list) {
  [[maybe_unused]] const auto shape = next();
  assert(shape == Shape::texts);
  if (version_ < kInitHasOneCount && function_ == function_id("MPI_Init")) put_length(list.size());
  put_texts(list);
}

template <class Lists>
void RecordWriter::text_lists(const Lists& lists) {
  [[maybe_unused]] const auto shape = next();
  assert(shape == Shape::text_lists);
  put_length(lists.size());
  for (const auto& list : lists) put_texts(list);
}

template <class List>
void RecordWriter::statuses(const List& list) {
  [[maybe_unused]] const auto shape = next();
  assert(shape == Shape::statuses);
  if ((mask_ & RecordPrefix::has_statuses) == 0) return;
  const std::size_t n = list.size();
  put_length(n);
  for (std::size_t i = 0; i < n; ++i) put_status(list[i]);
}

}  // namespace busline::dumpi
