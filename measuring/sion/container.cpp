#include "measuring/sion/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "measuring/sion/layout.hpp"
#include "sim/base/assert.hpp"
#include "workloads/files/unpack.hpp"

namespace busline::sion {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;

tl::unexpected<Error> wrong_container(const PhysicalFile& file, std::uint64_t offset, std::string where,
                                      std::string message, std::string hint = {}) {
  Error e;
  e.path = file.path();
  e.offset = offset;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

}  // namespace

RankStream::RankStream(const PhysicalFile& file, std::uint32_t local) : file_(&file) {
  const auto count = file.block_count(local);
  for (std::uint32_t block = 0; block < count; ++block) {
    const auto bytes = file.block_size(local, block);
    if (bytes == 0) continue;
    blocks_.push_back({size_, file.chunk_begin(local, block), bytes});
    size_ += bytes;
  }
  if (blocks_.empty()) blocks_.push_back({0, file.chunk_begin(local, 0), 0});
}

const RankStream::Block& RankStream::block_with(std::uint64_t position) const {
  const auto after = std::upper_bound(blocks_.begin() + 1, blocks_.end(), position,
                                      [](std::uint64_t p, const Block& b) { return p < b.position; });
  return *(after - 1);
}

std::uint64_t RankStream::file_offset(std::uint64_t position) const {
  const auto& block = block_with(position);
  return block.file_offset + (position - block.position);
}

void RankStream::read(std::uint64_t position, char* to, std::size_t n) const {
  SIM_ASSERT(position <= size_ && n <= size_ - position);
  if (n == 0) return;
  for (const auto* block = &block_with(position); n > 0; ++block) {
    const auto skipped = position - block->position;
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(n, block->bytes - skipped));
    std::memcpy(to, file_->bytes().data() + block->file_offset + skipped, taken);
    to += taken;
    n -= taken;
    position += taken;
  }
}

std::string file_name(const std::string& path, std::uint32_t number) {
  if (number == 0) return path;
  const auto name = without_compression(path);
  return fmt::format("{}.{:06}{}", name, number, path.substr(name.size()));
}

Expected<Container> Container::open(const std::string& path) {
  return PhysicalFile::open(path).and_then(beginning_with);
}

Expected<Container> Container::in_memory(std::string path, std::string_view bytes) {
  return PhysicalFile::in_memory(std::move(path), bytes).and_then(beginning_with);
}

Expected<Container> Container::beginning_with(PhysicalFile first) {
  Container c;
  c.files_.push_back(std::move(first));
  auto read =
      c.add_files().and_then([&] { return c.place_ranks(); }).and_then([&] { return c.check_mapping(); });
  if (!read) return tl::unexpected(std::move(read.error()));
  return c;
}

RankStream Container::stream(std::uint32_t rank) const {
  const auto& place = places_[rank];
  return {files_[place.file], place.local};
}

Expected<void> Container::add_files() {
  const auto path = this->path();
  const auto files = files_.front().header().files;
  if (const auto number = files_.front().header().file_number; number != 0)
    return wrong_container(files_.front(), kFileNumberAt, "file number",
                           fmt::format("is {}, expected 0", number),
                           "open the first file of the container, whose name ends without a number");
  for (std::uint32_t k = 1; k < files; ++k) {
    auto next = PhysicalFile::open(file_name(path, k));
    if (!next) {
      auto& e = next.error();
      if (e.kind == Error::Kind::unreadable)
        e.hint = fmt::format("{} declares itself the first of {} files", path, files);
      return tl::unexpected(std::move(e));
    }
    const auto& h = next->header();
    if (h.files != files)
      return wrong_container(*next, kFilesAt, "number of files",
                             fmt::format("is {}, but that of {} is {}", h.files, path, files));
    if (h.file_number < 0 || static_cast<std::uint32_t>(h.file_number) != k)
      return wrong_container(*next, kFileNumberAt, "file number",
                             fmt::format("is {}, expected {}", h.file_number, k));
    if (h.data_order != data_order())
      return wrong_container(*next, kOrderAt, "byte order",
                             fmt::format("of the data differs from that of {}", path));
    files_.push_back(std::move(*next));
  }
  return {};
}

Expected<void> Container::place_ranks() {
  std::uint64_t ranks = 0;
  for (const auto& file : files_) ranks += file.ranks();
  if (ranks >= kNowhere)
    return wrong_container(files_.front(), kRanksAt, "number of ranks",
                           fmt::format("is {} in all files together", ranks));
  places_.assign(ranks, {kNowhere, kNowhere});
  for (std::uint32_t f = 0; f < files_.size(); ++f)
    for (std::uint32_t local = 0; local < files_[f].ranks(); ++local) {
      const auto rank = files_[f].global_rank(local);
      if (rank < 0 || static_cast<std::uint64_t>(rank) >= ranks)
        return wrong_container(files_[f], files_[f].global_rank_offset(local), "global rank",
                               fmt::format("is {}, expected 0 to {}", rank, ranks - 1));
      auto& place = places_[static_cast<std::size_t>(rank)];
      if (place.file != kNowhere)
        return wrong_container(files_[f], files_[f].global_rank_offset(local), "global rank",
                               fmt::format("is {}, which occurs twice", rank));
      place = {f, local};
    }
  return {};
}

// It repeats the global ranks of the files.
Expected<void> Container::check_mapping() const {
  const auto& file = files_.front();
  const auto size = file.mapping_size();
  if (size == 0) return {};
  if (size != ranks())
    return wrong_container(file, file.mapping_offset(0) - 4, "mapping",
                           fmt::format("has {} ranks, expected {}", size, ranks()));
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    const auto told = file.mapping(rank);
    const PhysicalFile::Place found{static_cast<std::int32_t>(places_[rank].file),
                                    static_cast<std::int32_t>(places_[rank].local)};
    if (told != found)
      return wrong_container(
          file, file.mapping_offset(rank), "mapping",
          fmt::format("rank {} is number {} of file {}, but its file declares number {} of file {}", rank,
                      told.local, told.file, found.local, found.file));
  }
  return {};
}

}  // namespace busline::sion
