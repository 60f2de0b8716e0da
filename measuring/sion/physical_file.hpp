// One file of a SION container: its metadata, and where the bytes of its ranks lie (docs/reference/sion.md,
// "Layout").
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/sion/byte_order.hpp"
#include "sim/base/error.hpp"
#include "workloads/files/mapped_file.hpp"

namespace busline::sion {

/// The part of a file's header that precedes its ranks.
struct Header {
  ByteOrder metadata_order = ByteOrder::little;
  ByteOrder data_order = ByteOrder::little;  ///< of what the ranks wrote, as they declared it
  std::int32_t library_version = 0;          ///< of SIONlib: 1000 times the major number, plus the minor
  std::int32_t library_patch = 0;
  std::int32_t format = 0;              ///< 3 to 5
  std::uint32_t file_system_block = 0;  ///< bytes; chunks of several ranks begin at its multiples
  std::uint32_t ranks = 0;              ///< in this file; at least 1
  std::uint32_t files = 0;              ///< of the container; at least 1
  std::int32_t file_number = 0;
  std::string_view name;  ///< that the container was created with; files get renamed
};

/// Ranks are counted within the file here ("local"). Each wrote one chunk, or one chunk in each of several
/// blocks; not every chunk is full. All places were compared with the size of the file.
class PhysicalFile {
 public:
  /// Checks all metadata. Takes 8 bytes of memory per rank, and time per rank and block.
  static Expected<PhysicalFile> open(const std::string& path);
  /// The same with a file's bytes in memory, which must outlive this. `path` is for messages.
  static Expected<PhysicalFile> in_memory(std::string path, std::string_view bytes);

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return file_ ? file_->text() : bytes_; }
  const Header& header() const { return header_; }
  std::uint32_t ranks() const { return header_.ranks; }

  /// Any number: only all files of the container together can say whether it makes sense.
  std::int64_t global_rank(std::uint32_t local) const;
  /// Room for a rank in each block.
  std::uint64_t chunk_size(std::uint32_t local) const;
  std::uint64_t chunk_begin(std::uint32_t local, std::uint32_t block) const {
    return chunk_begins_[local] + block * block_stride_;
  }
  /// How many blocks a rank used, and how many bytes are valid in one of them.
  std::uint32_t block_count(std::uint32_t local) const;
  std::uint64_t block_size(std::uint32_t local, std::uint32_t block) const;
  /// The most blocks that a rank used.
  std::uint32_t blocks() const { return blocks_; }
  std::uint64_t data_begin() const { return data_begin_; }
  /// From a chunk to the same rank's chunk in the next block.
  std::uint64_t block_stride() const { return block_stride_; }
  std::uint64_t second_metablock() const { return second_metablock_; }

  /// Where the container's ranks are, by global rank. Only the first file of a container has this.
  struct Place {
    std::int32_t file = 0, local = 0;
    bool operator==(const Place&) const = default;
  };
  std::size_t mapping_size() const { return mapping_size_; }
  Place mapping(std::size_t global) const;
  std::uint64_t global_rank_offset(std::uint32_t local) const;
  std::uint64_t mapping_offset(std::size_t global) const;

 private:
  explicit PhysicalFile(std::string path) : path_(std::move(path)) {}
  Expected<void> read();
  Expected<void> read_header();
  Expected<void> read_chunks();
  Expected<void> read_blocks();
  Expected<void> read_mapping();
  template <class Int>
  Int at(std::uint64_t offset) const {
    return load<Int>(bytes().data() + offset, header_.metadata_order);
  }
  tl::unexpected<Error> wrong(std::uint64_t offset, std::string where, std::string message,
                              std::string hint = {}) const;

  std::string path_;
  std::optional<MappedFile> file_;
  std::string_view bytes_;  // if there is no file_
  Header header_;
  std::vector<std::uint64_t> chunk_begins_;  // in the first block, by local rank
  std::uint64_t data_begin_ = 0, block_stride_ = 0, second_metablock_ = 0, mapping_begin_ = 0;
  std::uint32_t blocks_ = 0;
  std::size_t mapping_size_ = 0;
};

}  // namespace busline::sion
