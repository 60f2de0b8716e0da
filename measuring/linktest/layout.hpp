// The common layout of LinkTest 1.x and 2.1.x files and the sizes of their parts, shared by reader and writer
// (docs/reference/linktest.md).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "measuring/linktest/linktest_result.hpp"

namespace busline::linktest {

inline constexpr std::string_view kTag = "LKTST";
inline constexpr std::string_view kNewTag = "LinkTest";  // from 2.1.17 on
inline constexpr Version kNewestVersion{2, 1, 16}, kNewestVersion1{1, 2, 1};

namespace version1 {
inline constexpr std::size_t kTagAndVersionBytes = 5 + 12;  // files of 1.0 lack them
inline constexpr std::size_t kLocationBytes = 256;
inline constexpr std::size_t kIntegers = 10, kDoubles = 10;  // rank 0: parameters and summary
inline constexpr std::int32_t kCollectNumber = 1;
/// How many coordinates a rank has.
constexpr std::size_t coordinates(std::uint32_t minor) {
  return minor >= 4 ? 6 : 4;
}
/// For a rank's stream, without tag and version.
constexpr std::uint64_t stream_bytes(std::uint64_t rank, std::uint64_t ranks, std::uint32_t minor,
                                     bool all_to_all) {
  const auto common = kLocationBytes + 4 * coordinates(minor) + (8 + 4 + (all_to_all ? 8 : 0)) * ranks;
  return rank == 0 ? common + 4 * kIntegers + 8 * kDoubles + (8 + 8 + 4 + 4) * ranks : common;
}
}  // namespace version1

namespace version2 {
inline constexpr std::size_t kGitHashBytes = 41, kTimeTextBytes = 32;
inline constexpr std::uint32_t kMostTextBytes = 4096;  // of the mode and of a host's name
inline constexpr std::uint64_t kMostRetests = 10'000'000;
inline constexpr std::string_view kEnd = "END_BLOCK";
/// For a record of a rank: one pass over all pairs with `entries` measurements of each rank.
constexpr std::uint64_t record_bytes(std::uint64_t rank, std::uint64_t entries, bool all_to_all,
                                     std::uint64_t retests) {
  const std::uint64_t width = all_to_all ? 8 : 0;
  const auto common = 16 * entries + width;
  return rank == 0 ? common + 2 * kTimeTextBytes + 24 + 3 * width + 32 * retests : common;
}
}  // namespace version2

}  // namespace busline::linktest
