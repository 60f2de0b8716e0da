// The call records of a trace file, one at a time, in one pass and without copying: lists are views into the
// file. A record is written when its call returns.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/layout.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::dumpi {

/// When a call was entered and left: seconds modulo 65536 after the file's bias, and nanoseconds.
struct Stamps {
  std::uint16_t entry_seconds = 0, exit_seconds = 0;
  std::uint32_t entry_nanoseconds = 0, exit_nanoseconds = 0;
};

/// How a receive ended. `source` is a rank of the call's communicator; sends leave arbitrary values here.
struct Status {
  std::int32_t bytes = 0, source = 0, tag = 0;
  std::uint8_t cancelled = 0;  ///< as a truth value
  std::uint8_t error = 0;      ///< the low byte of MPI_ERROR
};

/// The status in these `width` bytes: status_bytes() of the file's version. Old ones have no tag; it is -1.
Status load_status(const char* at, std::size_t width);

/// An argument as it lies in the file. An absent one (root-only) has no data.
struct Argument {
  const char* data = nullptr;
  std::int64_t number = 0;  ///< its value, or the number of elements of a list
};

/// The head of every record.
struct RecordPrefix {
  enum Mask : std::uint8_t {
    has_statuses = 0x03,
    has_cpu_time = 0x04,
    has_wall_time = 0x08,
    has_thread = 0x40,
    has_counters = 0x80,
    unknown_bits = 0x30,
  };

  std::uint16_t function = 0;
  std::uint16_t thread = 0;  ///< 0 if the mask has none
  std::uint8_t mask = 0;
  Stamps cpu{}, wall{};  ///< without meaning if the mask has none
  /// The hardware counters at entry and exit, by turns, in the order of the file's counter labels.
  IntegerView<std::uint64_t> counters{};
};

struct Record : RecordPrefix {
  Version version;           ///< of the file: old versions have arguments of other shapes
  std::uint64_t offset = 0;  ///< where it begins in the file
  std::uint64_t number = 0;  ///< from 1
  std::array<Argument, kMostArguments> arguments;

  std::int64_t operator[](std::size_t i) const { return arguments[i].number; }
  std::int32_t i32(std::size_t i) const { return static_cast<std::int32_t>(arguments[i].number); }
  bool present(std::size_t i) const { return arguments[i].data != nullptr; }
  template <class Int = std::int32_t>
  IntegerView<Int> list(std::size_t i) const {
    return {arguments[i].data, static_cast<std::size_t>(arguments[i].number)};
  }
  std::size_t statuses(std::size_t i) const { return static_cast<std::size_t>(arguments[i].number); }
  /// The status at place `k` of argument `i`; k < statuses(i).
  Status status(std::size_t i, std::size_t k = 0) const;
};

/// Whether it is the call after whose end a rank may make others.
inline bool is_init(const Record& r) {
  return r.function == function_id("MPI_Init") || r.function == function_id("MPI_Init_thread");
}

struct FixedPart;  // of record.cpp

/// Reads the records of a file in order.
class RecordReader {
 public:
  explicit RecordReader(const TraceFile& file);
  /// Reads `record`, which annotations of the file hold, of a function from kFirstMpi3 on.
  RecordReader(const TraceFile& file, std::string_view record);

  /// The next record, valid until the next call; nullptr at the end of the records or at damage.
  const Record* next();
  /// The current position in the file; after next() has returned nullptr, the end of the records.
  std::uint64_t position() const { return static_cast<std::uint64_t>(at_ - begin_); }
  /// Whether the records end with the end mark. Old files end without one, or with zeros.
  bool at_end_mark() const { return end_ - at_ >= 2 && load_big_endian<std::uint16_t>(at_) == kEndOfStream; }
  /// What stopped the reading before the end of the records, if anything.
  const std::optional<Error>& error() const { return error_; }

  /// An Error about a record of this file.
  Error error_in(const Record& record, const std::string& message) const;

 private:
  const Record* next_at_end();
  bool decode_prefix();
  bool decode_counters();
  bool decode_fixed_part();
  void decode_places(const FixedPart& fixed, const char* from);
  void decode_near_end(std::size_t in_file);
  bool decode_rest();
  bool decode_list(ByteCursor& cursor, Argument& argument, Shape shape) const;
  ByteCursor cursor_here() const {
    return {{begin_, static_cast<std::size_t>(end_ - begin_)}, static_cast<std::size_t>(at_ - begin_)};
  }
  const Record* fail(const std::string& message);  // always nullptr
  const Record* fail_without_function(std::uint16_t function);

  const TraceFile& file_;
  const char* begin_;                                              // of the file
  const char* at_;                                                 // of what is read next
  const char* end_;                                                // of the records
  const char* limit_;                                              // of what may be read
  std::uint16_t first_function_ = 0, functions_ = kFileFunctions;  // that the records may be of
  Record record_;
  std::optional<Error> error_;
  bool old_ = false;  // the file's version has records of other shapes
  bool finalized_ = false;
};

}  // namespace busline::dumpi
