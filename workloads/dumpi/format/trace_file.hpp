// One rank's binary file: where its parts are, and what stands around the call records. The parts are found
// through the index at the end of the file (docs/dumpi.md, "Layout").
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.hpp"
#include "workloads/dumpi/format/big_endian.hpp"
#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/part_index.hpp"
#include "workloads/dumpi/format/version.hpp"
#include "workloads/mapped_file.hpp"

namespace busline::dumpi {

/// Name of a traced function or text of an annotation, by the key that records carry.
struct FunctionLabel {
  std::uint64_t key = 0;
  std::string_view text;
};

/// The file stays mapped while this lives; the views point into it.
class TraceFile {
 public:
  /// Checks the index, header, footer, size table and labels, each against the bytes that there are. Parts
  /// that older versions do not write may be missing; `diagnostics` then says so ("missing-part"). With
  /// Opening::salvage those that are wrong are missing, too ("damaged-part"); without an index the records
  /// are expected from byte 8 to the end of the file, as the newest version that is known writes them.
  static Expected<TraceFile> open(const std::string& path, Diagnostics& diagnostics,
                                  Opening how = Opening::whole);
  /// The same with a file's bytes in memory, which must outlive this. `path` is for messages.
  static Expected<TraceFile> in_memory(std::string path, std::string_view bytes, Diagnostics& diagnostics,
                                       Opening how = Opening::whole);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return file_ ? file_->text() : bytes_; }
  Version version() const { return version_; }
  /// The call records lie in bytes() from records_begin(), where the two clocks' biases were, to
  /// records_end() at the latest.
  std::size_t records_begin() const { return records_begin_; }
  std::size_t records_end() const { return records_end_; }
  /// By function id, as counted when the program ran. Empty if the file has no footer.
  IntegerView<std::uint32_t> called() const { return called_; }
  IntegerView<std::uint32_t> ignored() const { return ignored_; }
  /// Size in bytes of each datatype id. May be empty.
  IntegerView<std::int32_t> type_sizes() const { return type_sizes_; }
  const std::vector<FunctionLabel>& labels() const { return labels_; }

 private:
  explicit TraceFile(std::string path) : path_(std::move(path)) {}
  Expected<void> read_parts(Diagnostics& diagnostics, Opening how);
  Expected<void> read_header(std::uint64_t at);
  Expected<void> read_footer(std::uint64_t at);
  Expected<void> read_counters(std::uint64_t at);
  Expected<void> read_sizes(std::uint64_t at);
  Expected<void> read_labels(std::uint64_t at);
  Expected<std::uint32_t> read_count(ByteCursor& cursor, const char* where, std::size_t each);
  tl::unexpected<Error> fail(std::uint64_t offset, const char* where, std::string message) const;

  std::string path_;
  std::optional<MappedFile> file_;
  std::string_view bytes_;  // if there is no file_
  Version version_ = kNewestKnown;
  std::size_t records_begin_ = 0, records_end_ = 0;
  IntegerView<std::uint32_t> called_, ignored_;
  IntegerView<std::int32_t> type_sizes_;
  std::vector<FunctionLabel> labels_;
};

}  // namespace busline::dumpi
