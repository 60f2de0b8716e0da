// Offsets of the SION container, file format 5 (docs/reference/sion.md, "Layout"). Reader and writer share
// them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace busline::sion {

inline constexpr std::string_view kMagic = "sion";
inline constexpr std::int32_t kOldestFormat = 3, kFormat = 5;
inline constexpr std::int32_t kUnexpandedFormat = 3;  // chunk sizes are what was asked for, not what was used
inline constexpr std::int32_t kFormatWithFlags = 5;

inline constexpr std::uint64_t kOrderAt = 4;
inline constexpr std::uint64_t kLibraryVersionAt = 8, kLibraryPatchAt = 12, kFormatAt = 16;
inline constexpr std::uint64_t kFileSystemBlockAt = 20, kRanksAt = 24, kFilesAt = 28, kFileNumberAt = 32;
inline constexpr std::uint64_t kFlagsAt = 36;  // two numbers of 64 bits
inline constexpr std::uint64_t kNameAt = 52, kNameBytes = 1024;
inline constexpr std::uint64_t kGlobalRanksAt = kNameAt + kNameBytes;

/// In the upper half of the first flag: whether the ranks' data is a plain stream of bytes or has a key
/// before every record. 0 is found, too, and means none.
inline constexpr std::int64_t kNoKeyValues = 50;

constexpr std::uint64_t chunk_sizes_at(std::uint64_t ranks) {
  return kGlobalRanksAt + 8 * ranks;
}
constexpr std::uint64_t block_count_at(std::uint64_t ranks) {
  return chunk_sizes_at(ranks) + 8 * ranks;
}
constexpr std::uint64_t second_metablock_pointer_at(std::uint64_t ranks) {
  return block_count_at(ranks) + 4;
}
/// Size of the first metablock: 1088 bytes and 16 per rank.
constexpr std::uint64_t first_metablock_bytes(std::uint64_t ranks) {
  return second_metablock_pointer_at(ranks) + 8;
}
/// Without the mapping: the blocks of each rank, and a size for each rank and block.
constexpr std::uint64_t second_metablock_bytes(std::uint64_t ranks, std::uint64_t blocks) {
  return 8 * ranks * (1 + blocks);
}

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace busline::sion
