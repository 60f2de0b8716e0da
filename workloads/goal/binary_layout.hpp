// The layout of binary GOAL schedules, as txt2bin writes them: little-endian, packed. Offsets in the jump
// table count from byte 8.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace busline::goal {

inline constexpr std::uint64_t kGoalMagic = 4223;
inline constexpr std::uint64_t kSpoiledMagic = 2342;  ///< LogGOPSim --save-mem leaves it
inline constexpr std::size_t kMagicBytes = 8, kHeadBytes = 6, kJumpBytes = 16, kRankHeadBytes = 8;
static_assert(std::endian::native == std::endian::little);

template <class T>
T load(const char* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void store(std::string& bytes, T value) {
  const auto at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace busline::goal
