#include "workloads/program/checksum.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace busline {
namespace {

// The specification's primes, by its numbers.
constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87ULL;
constexpr std::uint64_t kPrime2 = 0xc2b2ae3d27d4eb4fULL;
constexpr std::uint64_t kPrime3 = 0x165667b19e3779f9ULL;
constexpr std::uint64_t kPrime4 = 0x85ebca77c2b2ae63ULL;
constexpr std::uint64_t kPrime5 = 0x27d4eb2f165667c5ULL;

constexpr std::size_t kStripe = 32;  // four lanes of 8 bytes

// A little-endian number; the compiler makes one load of it.
template <class Number>
Number load(const char* p) {
  if constexpr (std::endian::native == std::endian::little) {
    Number n = 0;
    std::memcpy(&n, p, sizeof n);
    return n;
  }
  Number n = 0;
  for (std::size_t i = sizeof n; i-- > 0;) n = n << 8 | static_cast<unsigned char>(p[i]);
  return n;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

}  // namespace

std::uint64_t xxh64(std::string_view bytes) {
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t h = kPrime5;
  if (left >= kStripe) {
    std::array<std::uint64_t, 4> lane{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    for (; left >= kStripe; left -= kStripe)
      for (auto& l : lane) {
        l = round(l, load<std::uint64_t>(p));
        p += sizeof l;
      }
    h = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) + std::rotl(lane[3], 18);
    for (const auto l : lane) h = (h ^ round(0, l)) * kPrime1 + kPrime4;
  }
  h += bytes.size();
  for (; left >= 8; left -= 8, p += 8)
    h = std::rotl(h ^ round(0, load<std::uint64_t>(p)), 27) * kPrime1 + kPrime4;
  for (; left >= 4; left -= 4, p += 4)
    h = std::rotl(h ^ load<std::uint32_t>(p) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; left > 0; --left, ++p) h = std::rotl(h ^ static_cast<unsigned char>(*p) * kPrime5, 11) * kPrime1;
  h = (h ^ (h >> 33)) * kPrime2;
  h = (h ^ (h >> 29)) * kPrime3;
  return h ^ (h >> 32);
}

}  // namespace busline
