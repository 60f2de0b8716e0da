#include "measuring/sion/physical_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <tuple>
#include <utility>

#include "measuring/sion/layout.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::sion {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

Expected<PhysicalFile> PhysicalFile::open(const std::string& path) {
  auto mapped = MappedFile::open(path);
  if (!mapped) return tl::unexpected(std::move(mapped.error()));
  PhysicalFile file(path);
  file.file_ = std::move(*mapped);
  if (auto read = file.read(); !read) return tl::unexpected(std::move(read.error()));
  return file;
}

Expected<PhysicalFile> PhysicalFile::in_memory(std::string path, std::string_view bytes) {
  PhysicalFile file(std::move(path));
  file.bytes_ = bytes;
  if (auto read = file.read(); !read) return tl::unexpected(std::move(read.error()));
  return file;
}

std::uint64_t PhysicalFile::global_rank_offset(std::uint32_t local) const {
  return kGlobalRanksAt + 8 * std::uint64_t{local};
}

std::int64_t PhysicalFile::global_rank(std::uint32_t local) const {
  return at<std::int64_t>(global_rank_offset(local));
}

std::uint64_t PhysicalFile::chunk_size(std::uint32_t local) const {
  const auto stored = at<std::uint64_t>(chunk_sizes_at(ranks()) + 8 * std::uint64_t{local});
  return header_.format > kUnexpandedFormat ? stored : rounded_up(stored, header_.file_system_block);
}

std::uint32_t PhysicalFile::block_count(std::uint32_t local) const {
  return static_cast<std::uint32_t>(at<std::uint64_t>(second_metablock_ + 8 * std::uint64_t{local}));
}

std::uint64_t PhysicalFile::block_size(std::uint32_t local, std::uint32_t block) const {
  return at<std::uint64_t>(second_metablock_ + second_metablock_bytes(ranks(), block) +
                           8 * std::uint64_t{local});
}

std::uint64_t PhysicalFile::mapping_offset(std::size_t global) const {
  return mapping_begin_ + 4 + 8 * global;
}

PhysicalFile::Place PhysicalFile::mapping(std::size_t global) const {
  const auto offset = mapping_offset(global);
  return {at<std::int32_t>(offset), at<std::int32_t>(offset + 4)};
}

Expected<void> PhysicalFile::read() {
  return read_header()
      .and_then([this] { return read_chunks(); })
      .and_then([this] { return read_blocks(); })
      .and_then([this] { return read_mapping(); });
}

Expected<void> PhysicalFile::read_header() {
  const auto all = bytes();
  if (all.substr(0, kMagic.size()) != kMagic)
    return wrong(0, "", "does not start with the letters 'sion'", "the file is not a SION container");
  if (all.size() < first_metablock_bytes(0))
    return wrong(all.size(), "header",
                 fmt::format("the file ends here, expected at least {} bytes", first_metablock_bytes(0)),
                 "the file is truncated");
  const auto* const order = reinterpret_cast<const unsigned char*>(all.data() + kOrderAt);
  if (order[0] != order[3] || order[1] != order[2] || order[0] > 1 || order[1] > 1)
    return wrong(
        kOrderAt, "byte order",
        fmt::format("is {:02x}, expected the outer two bytes to be equal, the inner two as well, and "
                    "each 00 or 01",
                    fmt::join(order, order + 4, " ")));
  auto& h = header_;
  h.metadata_order = order[0] == 0 ? ByteOrder::little : ByteOrder::big;
  h.data_order = order[1] == 0 ? ByteOrder::little : ByteOrder::big;
  h.library_version = at<std::int32_t>(kLibraryVersionAt);
  h.library_patch = at<std::int32_t>(kLibraryPatchAt);
  h.format = at<std::int32_t>(kFormatAt);
  if (h.format < kOldestFormat || h.format > kFormat)
    return wrong(kFormatAt, "file format",
                 fmt::format("is {}, expected {} to {}", h.format, kOldestFormat, kFormat));
  for (const auto& [offset, name, value] :
       {std::tuple{kFileSystemBlockAt, "file system's block", &h.file_system_block},
        std::tuple{kRanksAt, "number of ranks", &h.ranks},
        std::tuple{kFilesAt, "number of files", &h.files}}) {
    const auto number = at<std::int32_t>(offset);
    if (number <= 0) return wrong(offset, name, fmt::format("is {}, expected 1 or more", number));
    *value = static_cast<std::uint32_t>(number);
  }
  h.file_number = at<std::int32_t>(kFileNumberAt);
  const auto keys = h.format < kFormatWithFlags ? 0 : at<std::int64_t>(kFlagsAt) >> 32;
  if (keys != 0 && keys != kNoKeyValues) {
    auto e = wrong(
        kFlagsAt, "flags",
        fmt::format("the ranks' data has keys before its records (mode {}), which is not supported", keys));
    e.value().kind = Error::Kind::unsupported;
    return e;
  }
  const auto name = all.substr(kNameAt, kNameBytes);
  h.name = name.substr(0, name.find('\0'));
  if (first_metablock_bytes(h.ranks) > all.size())
    return wrong(kRanksAt, "number of ranks",
                 fmt::format("is {}, but the file's {} bytes have room for at most {}", h.ranks, all.size(),
                             (all.size() - first_metablock_bytes(0)) / 16));
  return {};
}

Expected<void> PhysicalFile::read_chunks() {
  data_begin_ = rounded_up(first_metablock_bytes(ranks()), header_.file_system_block);
  chunk_begins_.reserve(ranks());
  auto end = data_begin_;
  for (std::uint32_t local = 0; local < ranks(); ++local) {
    const auto offset = chunk_sizes_at(ranks()) + 8 * std::uint64_t{local};
    const auto stored = at<std::int64_t>(offset);
    if (stored < 0) return wrong(offset, "chunk size", fmt::format("is {}, expected 0 or more", stored));
    const auto size = chunk_size(local);
    if (size > kMost - end)
      return wrong(offset, "chunk size",
                   fmt::format("is {}, expected at most {} after the chunks before it", stored, kMost - end));
    chunk_begins_.push_back(end);
    end += size;
  }
  block_stride_ = end - data_begin_;
  return {};
}

Expected<void> PhysicalFile::read_blocks() {
  const auto pointer_at = second_metablock_pointer_at(ranks());
  const auto blocks = at<std::int32_t>(block_count_at(ranks()));
  const auto pointer = at<std::int64_t>(pointer_at);
  const auto size = bytes().size();
  if (pointer <= 0 || static_cast<std::uint64_t>(pointer) > size)
    return wrong(
        pointer_at, "second metablock",
        fmt::format("is at {}, expected an offset within the file's {} bytes", pointer, size),
        pointer == 0 ? "the program that wrote the file ended before closing it" : "the file is truncated");
  second_metablock_ = static_cast<std::uint64_t>(pointer);
  // Each block takes 8 bytes per rank in the second metablock, so that the file limits their number.
  const auto room = (size - second_metablock_) / (8 * std::uint64_t{ranks()});
  if (blocks < 0 || room == 0 || static_cast<std::uint64_t>(blocks) > room - 1)
    return wrong(block_count_at(ranks()), "number of blocks",
                 fmt::format("is {}, but the {} bytes of the second metablock have room for {}", blocks,
                             size - second_metablock_, room == 0 ? 0 : room - 1),
                 "the file is truncated");
  blocks_ = static_cast<std::uint32_t>(blocks);
  if (block_stride_ != 0 && blocks_ > (kMost - data_begin_) / block_stride_)
    return wrong(block_count_at(ranks()), "number of blocks",
                 fmt::format("is {}, expected at most {} of {} bytes each", blocks_,
                             (kMost - data_begin_) / block_stride_, block_stride_));
  if (const auto expected = data_begin_ + blocks_ * block_stride_; second_metablock_ != expected)
    return wrong(pointer_at, "second metablock",
                 fmt::format("is at {}, but {} of {} bytes from {} end at {}", second_metablock_,
                             counted(blocks_, "block"), block_stride_, data_begin_, expected));
  for (std::uint32_t local = 0; local < ranks(); ++local) {
    const auto offset = second_metablock_ + 8 * std::uint64_t{local};
    const auto count = at<std::int64_t>(offset);
    if (count < 0 || count > blocks)
      return wrong(offset, "number of blocks of a rank",
                   fmt::format("is {}, expected 0 to {}", count, blocks));
  }
  for (std::uint32_t block = 0; block < blocks_; ++block)
    for (std::uint32_t local = 0; local < ranks(); ++local)
      if (block < block_count(local) && block_size(local, block) > chunk_size(local))
        return wrong(second_metablock_ + second_metablock_bytes(ranks(), block) + 8 * std::uint64_t{local},
                     "size of a block",
                     fmt::format("is {}, expected 0 to {}",
                                 static_cast<std::int64_t>(block_size(local, block)), chunk_size(local)));
  return {};
}

Expected<void> PhysicalFile::read_mapping() {
  mapping_begin_ = second_metablock_ + second_metablock_bytes(ranks(), blocks_);
  // Containers of one file end before it, and so do all files but the first.
  if (header_.file_number != 0 || bytes().size() - mapping_begin_ < 4) return {};
  const auto size = at<std::int32_t>(mapping_begin_);
  const auto room = (bytes().size() - mapping_begin_ - 4) / 8;
  if (size < 0 || static_cast<std::uint64_t>(size) > room)
    return wrong(mapping_begin_, "mapping", fmt::format("has {} ranks, expected 0 to {}", size, room));
  mapping_size_ = static_cast<std::size_t>(size);
  return {};
}

tl::unexpected<Error> PhysicalFile::wrong(std::uint64_t offset, std::string where, std::string message,
                                          std::string hint) const {
  Error e;
  e.path = path_;
  e.offset = offset;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

}  // namespace busline::sion
