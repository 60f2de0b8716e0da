// The records of one file of an OTF2 archive, whose chunks may have different byte orders.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/otf2/cursor.hpp"
#include "workloads/otf2/record_types.hpp"

namespace busline::otf2 {

/// A record in a file.
struct Record {
  std::uint8_t type = 0;
  std::string_view values;   ///< without type and length; empty if has_no_length()
  std::uint64_t value = 0;   ///< the only value, if has_no_length()
  bool big_endian = false;   ///< of the values
  std::uint64_t time = 0;    ///< of an event, in ticks
  std::uint64_t number = 0;  ///< from 1, in its file
  std::size_t offset = 0;    ///< of its first byte in the file
  EventType event() const { return static_cast<EventType>(type); }
  Cursor cursor() const { return {values, 0, big_endian}; }
};

class RecordReader {
 public:
  enum class Kind { events, definitions };
  /// Chunks begin at multiples of `chunk_size` bytes. The bytes outlive this.
  RecordReader(std::string_view file, Kind kind, std::uint64_t chunk_size)
      : cursor_(file, 0, false), file_(file), kind_(kind), chunk_size_(chunk_size) {
    begin_chunk();
  }

  /// False after the last record, and if the file is wrong: then fault() says how.
  bool next() { return !fault_ && !ended_ && advance(); }
  const Record& record() const { return record_; }
  const std::optional<std::string>& fault() const { return fault_; }
  std::size_t position() const { return cursor_.position(); }

 private:
  bool advance();
  void begin_chunk();
  bool next_chunk();
  bool fail(std::string what) {
    fault_ = std::move(what);
    return false;
  }

  Cursor cursor_;
  std::string_view file_;
  Kind kind_;
  std::uint64_t chunk_size_;
  std::size_t chunk_begin_ = 0;
  bool big_endian_ = false;
  bool ended_ = false;
  Record record_;
  std::optional<std::string> fault_;
};

}  // namespace busline::otf2
