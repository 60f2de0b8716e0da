// A SION container: what each rank of a parallel program wrote, in one file or a few
// (docs/reference/sion.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/sion/byte_order.hpp"
#include "measuring/sion/physical_file.hpp"
#include "sim/base/error.hpp"

namespace busline::sion {

/// The bytes that one rank wrote, in their order, wherever they lie. Valid as long as its Container.
class RankStream {
 public:
  std::uint64_t size() const { return size_; }
  /// Copies the `n` bytes from `position` on, which must be there.
  void read(std::uint64_t position, char* to, std::size_t n) const;
  /// Where the byte at `position`, or the end of the stream, lies in the file path().
  std::uint64_t file_offset(std::uint64_t position) const;
  const std::string& path() const { return file_->path(); }

 private:
  friend class Container;
  RankStream(const PhysicalFile& file, std::uint32_t local);
  struct Block {
    std::uint64_t position = 0, file_offset = 0, bytes = 0;
  };
  const Block& block_with(std::uint64_t position) const;

  const PhysicalFile* file_;
  std::vector<Block> blocks_;  // those that are not empty
  std::uint64_t size_ = 0;
};

/// A container whose metadata was checked. The data stays in the files, which are mapped: a stream can be
/// read without the others.
class Container {
 public:
  /// The first file of a container: "x.sion"; further ones are "x.sion.000001", ... beside it. Takes 16 bytes
  /// of memory per rank.
  static Expected<Container> open(const std::string& path);
  /// The same with the bytes of the first file in memory, which must outlive this.
  static Expected<Container> in_memory(std::string path, std::string_view bytes);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(places_.size()); }
  ByteOrder data_order() const { return files_.front().header().data_order; }
  const std::string& path() const { return files_.front().path(); }
  const std::vector<PhysicalFile>& files() const { return files_; }
  RankStream stream(std::uint32_t rank) const;

 private:
  Container() = default;
  static Expected<Container> beginning_with(PhysicalFile first);
  Expected<void> add_files();
  Expected<void> place_ranks();
  Expected<void> check_mapping() const;

  struct Place {
    std::uint32_t file, local;
  };
  std::vector<PhysicalFile> files_;
  std::vector<Place> places_;  // by rank
};

/// The name of a container's file: that of the first is `path` itself. "x.sion.gz" goes on with
/// "x.sion.000001.gz".
std::string file_name(const std::string& path, std::uint32_t number);

}  // namespace busline::sion
