// Writes the file of one rank, in one pass: records first, then the other parts, then the index
// (docs/reference/dumpi.md, "Layout"). Used to rewrite traces, and by tracers.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/record_writer.hpp"
#include "workloads/dumpi/format/trace_file.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::dumpi {

/// Calls by function id, then the total. Function_enter and Function_exit are not counted.
struct CallCounts {
  std::array<std::uint32_t, kCountedFunctions + 1> called{};   ///< recorded or not
  std::array<std::uint32_t, kCountedFunctions + 1> ignored{};  ///< not recorded

  void add_recorded(std::uint16_t function) { add(called, function); }
  void add_ignored(std::uint16_t function) {
    add(called, function);
    add(ignored, function);
  }
  /// A recorded call is dropped.
  void ignore_recorded(std::uint16_t function) { add(ignored, function); }

 private:
  static void add(std::array<std::uint32_t, kCountedFunctions + 1>& to, std::uint16_t function) {
    if (function >= kCountedFunctions) return;
    ++to[function];
    ++to[kCountedFunctions];
  }
};

/// The data around the records. Texts, written up to 65535 bytes, and the mesh are views.
struct TraceParts {
  Header header;
  CallCounts counts;
  std::vector<KeyValue> key_values;
  std::vector<std::string_view> counter_labels;
  std::vector<std::int32_t> type_sizes;  ///< bytes, by datatype id
  std::vector<FunctionLabel> labels;
};

/// How files of different versions of libdumpi differ. The default is what 13.0.0 writes.
struct FileForm {
  std::size_t first_indexed = kSizes;  ///< the first Part of the index; old indexes begin with a later one
  bool key_values_indexed = false;
  bool has_mesh_size = true;
  /// The parts in their order after the records. Parts not named here are not written.
  std::vector<Part> order{kHeader, kFooter, kKeyvals, kCounterLabels, kSizes, kLabels};
  /// The bytes at the end of the records, in place of the end mark: old files have none, or zeros.
  std::optional<std::size_t> zeros_at_end;
};

/// The data around the records of `file`, and its layout. Views into the file.
TraceParts parts_of(const TraceFile& file);
/// `records` must be at the end of that file's records. Bytes that belong to no part are ignored.
FileForm form_of(const TraceFile& file, const RecordReader& records);

/// The file of one rank. Output is buffered; the sink gets whole records, so that an unfinished file can be
/// salvaged. finish() returns the first Error of the sink; output after it is dropped.
class TraceWriter {
 public:
  static constexpr std::size_t kBufferBytes = 1U << 20;

  /// The biases are the seconds at which the records' clocks begin: the stamps of records count seconds from
  /// there, modulo 65536. `buffer` is the number of bytes collected before a write.
  TraceWriter(ByteSink& sink, std::int32_t cpu_bias, std::int32_t wall_bias, Version version = kNewestKnown,
              std::size_t buffer = kBufferBytes);

  /// Writes the next record, from begin() to end(). Call end_record() after it.
  RecordWriter& record() { return record_; }
  void end_record() {
    record_.end();
    if (buffer_.size() >= limit_) flush();
  }
  /// The same for a function from kFirstMpi3 on, whose record annotations hold. `thread` is the one of the
  /// record.
  RecordWriter& annotated_record() { return annotated_record_; }
  void end_annotated_record(std::uint16_t thread);
  /// A record as it was read, encoded again from its values.
  void copy(const Record& record);

  /// Writes the collected bytes.
  void flush();
  /// Ends the records and writes everything else. The header's version must be that of the records.
  Expected<void> finish(const TraceParts& parts, const FileForm& form = {});

 private:
  void put_header(const Header& header, bool has_mesh_size);
  void put_footer(const CallCounts& counts);
  void put_part(Part part, const TraceParts& parts, const FileForm& form);
  std::uint64_t offset() const { return written_ + buffer_.size(); }

  ByteSink& sink_;
  ByteBuffer buffer_, annotated_;
  RecordWriter record_, annotated_record_;
  std::size_t limit_;
  std::uint64_t written_ = 0;  // bytes that the sink has
  std::optional<Error> error_;
};

}  // namespace busline::dumpi
