// One rank's binary file: its parts, and the data around the call records. The index at the end of the file
// locates the parts (docs/reference/dumpi.md, "Layout").
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/big_endian.hpp"
#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/part_index.hpp"
#include "workloads/dumpi/format/sequence.hpp"
#include "workloads/dumpi/format/version.hpp"
#include "workloads/files/mapped_file.hpp"

namespace busline::dumpi {

/// The writer and the host of the file.
struct Header {
  Version version = kNewestKnown;
  std::uint64_t start_time = 0;  ///< seconds since 1970
  std::string_view host;
  std::string_view user;  ///< "<none>" if the tracer did not know
  /// The place of this rank's node in a machine with a mesh, and the size of the mesh; else empty.
  IntegerView<std::int32_t> mesh_coordinates, mesh_size;
  bool has_mesh_size = true;  ///< files before version 0.5.0 do not have it
};

/// Name of a traced function or text of an annotation, by the key that records carry.
struct FunctionLabel {
  std::uint64_t key = 0;
  std::string_view text;

  using Value = FunctionLabel;
  static Value take(const char*& at) {
    const auto key = take_number<std::uint64_t>(at);
    return {key, TextAfter<std::uint16_t>::take(at)};
  }
};

/// Notes about the run by the user of the tracer.
struct KeyValue {
  std::string_view key, value;

  using Value = KeyValue;
  static Value take(const char*& at) {
    const auto key = TextAfter<std::uint16_t>::take(at);
    return {key, TextAfter<std::uint16_t>::take(at)};
  }
};

inline constexpr std::uint64_t kFooterMagic = 0xf007fee7;

/// The file stays mapped while this lives; the views point into it.
class TraceFile {
 public:
  /// Checks the index, header, footer, size table and labels, each against the size of the file. Parts that
  /// older versions do not write may be missing; `diagnostics` then says so ("missing-part"). With
  /// Opening::salvage damaged ones also count as missing ("damaged-part"); without an index the records are
  /// expected from byte 8 to the end of the file, as the newest known version writes them.
  static Expected<TraceFile> open(const std::string& path, Diagnostics& diagnostics,
                                  Opening how = Opening::whole);
  /// The same with a file's bytes in memory, which must outlive this. `path` is for messages.
  static Expected<TraceFile> in_memory(std::string path, std::string_view bytes, Diagnostics& diagnostics,
                                       Opening how = Opening::whole);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return file_ ? file_->text() : bytes_; }
  const Header& header() const { return header_; }
  Version version() const { return header_.version; }
  /// Where the parts are. Key values that the index does not name follow the footer.
  const PartIndex& index() const { return index_; }
  bool key_values_indexed() const { return key_values_indexed_; }
  /// The call records lie in bytes() from records_begin(), where the two clocks' biases were, to
  /// records_end() at the latest.
  std::size_t records_begin() const { return records_begin_; }
  std::size_t records_end() const { return records_end_; }
  /// The offset to add to the seconds of the records' times.
  std::int32_t cpu_bias() const { return cpu_bias_; }
  std::int32_t wall_bias() const { return wall_bias_; }
  /// By function id, as counted when the program ran, then the total. Empty if the file has no footer.
  IntegerView<std::uint32_t> called() const { return called_; }
  IntegerView<std::uint32_t> ignored() const { return ignored_; }
  /// Size in bytes of each datatype id. May be empty.
  IntegerView<std::int32_t> type_sizes() const { return type_sizes_; }
  Sequence<FunctionLabel> labels() const { return labels_; }
  Labels counter_labels() const { return counter_labels_; }
  Sequence<KeyValue> key_values() const { return key_values_; }

 private:
  explicit TraceFile(std::string path) : path_(std::move(path)) {}
  Expected<void> read_parts(Diagnostics& diagnostics, Opening how);
  std::size_t end_of_part(std::uint64_t at) const;
  ByteCursor cursor_at(std::uint64_t at) const;
  void find_records();
  Expected<void> read_header(std::uint64_t at);
  Expected<void> read_footer(std::uint64_t at);
  Expected<void> read_sizes(std::uint64_t at);
  Expected<void> read_counter_labels(std::uint64_t at);
  Expected<void> read_labels(std::uint64_t at);
  Expected<void> read_key_values(std::uint64_t at);
  template <class Element, class Skip>
  Expected<void> read_list(ByteCursor cursor, Part part, std::size_t least, Sequence<Element>& list,
                           Skip skip);
  tl::unexpected<Error> fail(std::uint64_t offset, const char* where, std::string message) const;

  std::string path_;
  std::optional<MappedFile> file_;
  std::string_view bytes_;  // if without file_
  PartIndex index_;
  bool key_values_indexed_ = false;
  Header header_;
  std::int32_t cpu_bias_ = 0, wall_bias_ = 0;
  std::size_t records_begin_ = 0, records_end_ = 0;
  IntegerView<std::uint32_t> called_, ignored_;
  IntegerView<std::int32_t> type_sizes_;
  Sequence<FunctionLabel> labels_;
  Labels counter_labels_;
  Sequence<KeyValue> key_values_;
};

}  // namespace busline::dumpi
