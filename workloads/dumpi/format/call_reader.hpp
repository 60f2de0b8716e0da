// The calls of a trace file: its records, and those that lie in annotations, as a tracer writes them for
// calls of MPI-3 (docs/reference/dumpi.md, "MPI-3").
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/dumpi/format/record.hpp"

namespace busline::dumpi {

/// The fn of the first Function_exit of an annotated record: a mark with the version of the layout, and the
/// number of bytes that the following ones have, 8 each.
inline constexpr std::uint64_t kAnnotatedMark = 0x4d50'3300'0000'0000;  // "MP3"
inline constexpr std::uint64_t kAnnotatedLayout = 1;
inline constexpr std::uint64_t kBytesOfPart = 8;

/// What the first part of an annotated record says.
struct AnnotatedHead {
  std::uint64_t layout = 0, bytes = 0;
  std::uint64_t parts() const { return (bytes + kBytesOfPart - 1) / kBytesOfPart; }
};
/// Whether `record` can be a part: a Function_exit without times.
inline bool is_annotated_part(const Record& record) {
  return record.function == function_id("Function_exit") &&
         (record.mask & (Record::has_wall_time | Record::has_cpu_time)) == 0;
}
inline std::optional<AnnotatedHead> annotated_head(const Record& record) {
  if (!is_annotated_part(record)) return std::nullopt;
  const auto fn = static_cast<std::uint64_t>(record[0]);
  if (fn >> 40U != kAnnotatedMark >> 40U) return std::nullopt;
  return AnnotatedHead{fn >> 32U & 0xff, fn & 0xffff'ffff};
}

/// Reads the calls of a file in order: like RecordReader, but annotated records are those of their calls.
/// Those of a newer layout, and of functions that are not known here, are passed over.
class CallReader {
 public:
  explicit CallReader(const TraceFile& file) : file_(file), records_(file) {}

  /// The next record, valid until the next call; nullptr at the end of the records or at damage.
  const Record* next();
  const std::optional<Error>& error() const { return error_ ? error_ : records_.error(); }
  Error error_in(const Record& record, const std::string& message) const {
    return records_.error_in(record, message);
  }

 private:
  bool collect(const Record& head, std::uint64_t bytes, std::uint64_t parts);
  bool decode(std::uint64_t offset, std::uint64_t number);
  bool fail(std::uint64_t offset, std::uint64_t number, const std::string& message);  // always false

  const TraceFile& file_;
  RecordReader records_;
  Record call_;              // that annotations hold
  std::vector<char> bytes_;  // of it
  std::optional<Error> error_;
};

}  // namespace busline::dumpi
