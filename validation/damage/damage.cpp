#include "validation/damage/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace busline {
namespace {

constexpr std::size_t kEnds = 160;      // bytes at both ends that get half of the damage
constexpr std::size_t kLongest = 4000;  // of a range

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers everywhere, unlike the standard library's
// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

 private:
  std::uint64_t state_;
};

std::size_t place(Random& random, std::size_t size) {
  const auto ends = std::min(kEnds, size);
  switch (random.below(4)) {
    case 0:
      return random.below(ends);
    case 1:
      return size - 1 - random.below(ends);
    default:
      return random.below(size);
  }
}

struct Range {
  std::size_t begin = 0, length = 0;
};
Range range(Random& random, std::size_t size) {
  const auto begin = place(random, size);
  return {begin, 1 + random.below(std::min(kLongest, size - begin))};
}

std::string cut(std::string& bytes, Random& random) {
  const auto at = place(random, bytes.size());
  bytes.resize(at);
  return fmt::format("cut after {} bytes", at);
}

std::string flip(std::string& bytes, Random& random) {
  const auto at = place(random, bytes.size());
  const auto bit = random.below(8);
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit));
  return fmt::format("bit {} of the byte at {} flipped", bit, at);
}

// Values that lengths should not have; `size` is the file's.
std::string set_number(std::string& bytes, Random& random) {
  const std::array<std::uint64_t, 10> values{0,
                                             ~std::uint64_t{0},
                                             0x7fff'ffff'ffff'ffffULL,
                                             0x7fff'ffffULL,
                                             0x8000'0000ULL,
                                             0x1000'0000ULL,
                                             bytes.size(),
                                             bytes.size() - 1,
                                             1,
                                             0xff};
  const auto value = values[random.below(values.size())];
  const std::size_t width = std::size_t{1} << random.below(4);
  const auto at = std::min(place(random, bytes.size()), bytes.size() - std::min(width, bytes.size()));
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * (width - 1 - i)) & 0xff);
  return fmt::format("the {} bytes at {} set to {:x}", width, at, value);
}

std::string zero(std::string& bytes, Random& random) {
  const auto r = range(random, bytes.size());
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(r.begin), r.length, '\0');
  return fmt::format("{} bytes at {} set to 0", r.length, r.begin);
}

std::string leave_out(std::string& bytes, Random& random) {
  const auto r = range(random, bytes.size());
  bytes.erase(r.begin, r.length);
  return fmt::format("{} bytes at {} left out", r.length, r.begin);
}

std::string repeat(std::string& bytes, Random& random) {
  const auto r = range(random, bytes.size());
  bytes.insert(r.begin, bytes.substr(r.begin, r.length));
  return fmt::format("{} bytes at {} repeated", r.length, r.begin);
}

std::string swap(std::string& bytes, Random& random) {
  const auto a = place(random, bytes.size()), b = place(random, bytes.size());
  std::swap(bytes[a], bytes[b]);
  return fmt::format("the bytes at {} and {} swapped", a, b);
}

using Kind = std::string (*)(std::string& bytes, Random& random);
// Wrong numbers find the most, so that they get three turns.
constexpr std::array<Kind, 9> kKinds{cut,       flip,   set_number, zero, set_number,
                                     leave_out, repeat, set_number, swap};

}  // namespace

Damage::Damage(std::string bytes) : bytes_(std::move(bytes)) {}

std::uint64_t Damage::kinds() {
  return kKinds.size();
}

DamagedCopy Damage::copy(std::uint64_t n) const {
  DamagedCopy result{bytes_, "nothing"};
  if (bytes_.empty()) return result;
  Random random(n);
  result.what = kKinds[n % kKinds.size()](result.bytes, random);
  return result;
}

}  // namespace busline
