#include "tests/damage/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/random.hpp"

namespace busline {
namespace {

constexpr std::size_t kEnds = 160;      // bytes at both ends that get half of the damage
constexpr std::size_t kLongest = 4000;  // of a range

// 0 to n - 1; 0 if n is 0. Files here are far below 4 GiB.
std::size_t below(Random& random, std::size_t n) {
  return n == 0 ? 0 : random.below(static_cast<std::uint32_t>(n));
}

std::size_t place(Random& random, std::size_t size) {
  const auto ends = std::min(kEnds, size);
  switch (below(random, 4)) {
    case 0:
      return below(random, ends);
    case 1:
      return size - 1 - below(random, ends);
    default:
      return below(random, size);
  }
}

struct Range {
  std::size_t begin = 0, length = 0;
};
Range range(Random& random, std::size_t size) {
  const auto begin = place(random, size);
  return {begin, 1 + below(random, std::min(kLongest, size - begin))};
}

std::string cut(std::string& bytes, Random& random) {
  const auto at = place(random, bytes.size());
  bytes.resize(at);
  return fmt::format("cut after {} bytes", at);
}

std::string flip(std::string& bytes, Random& random) {
  const auto at = place(random, bytes.size());
  const auto bit = below(random, 8);
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit));
  return fmt::format("bit {} of the byte at {} flipped", bit, at);
}

// Big-endian, cut to the width.
void put(std::string& bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(value >> (8 * (width - 1 - i)) & 0xff);
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
  const auto value = values[below(random, values.size())];
  const std::size_t width = std::size_t{1} << below(random, 4);
  const auto at = std::min(place(random, bytes.size()), bytes.size() - std::min(width, bytes.size()));
  put(bytes, at, width, value);
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

constexpr std::array<unsigned, 3> kFlips{0x01, 0x80, 0xff};

// 0, -1, and the largest number that is positive in this width, or in 4 bytes.
constexpr std::uint64_t kLengths = 3;
std::uint64_t wrong_length(std::uint64_t which, std::size_t width) {
  if (which < 2) return which == 0 ? 0 : ~std::uint64_t{0};
  return (std::uint64_t{1} << (8 * std::min(width, std::size_t{4}) - 1)) - 1;
}

}  // namespace

SystematicDamage::SystematicDamage(std::string bytes, std::vector<LengthField> fields)
    : bytes_(std::move(bytes)), fields_(std::move(fields)) {}

std::uint64_t SystematicDamage::copies() const {
  return bytes_.size() * (1 + kFlips.size()) + fields_.size() * kLengths;
}

DamagedCopy SystematicDamage::copy(std::uint64_t n) const {
  const auto size = bytes_.size();
  if (n < size) return {bytes_.substr(0, static_cast<std::size_t>(n)), fmt::format("cut after {} bytes", n)};
  n -= size;
  DamagedCopy copy{bytes_, {}};
  if (n < size * kFlips.size()) {
    const auto at = static_cast<std::size_t>(n) / kFlips.size();
    const auto flip = kFlips[n % kFlips.size()];
    copy.bytes[at] = static_cast<char>(static_cast<unsigned char>(copy.bytes[at]) ^ flip);
    copy.what = fmt::format("bits {:02x} of the byte at {} flipped", flip, at);
    return copy;
  }
  n -= size * kFlips.size();
  const auto& field = fields_[static_cast<std::size_t>(n / kLengths)];
  const auto value = wrong_length(n % kLengths, field.bytes);
  put(copy.bytes, field.offset, field.bytes, value);
  copy.what = fmt::format("the length of {} bytes at {} set to {:x}", field.bytes, field.offset, value);
  return copy;
}

RandomDamage::RandomDamage(std::string bytes) : bytes_(std::move(bytes)) {}

std::uint64_t RandomDamage::kinds() {
  return kKinds.size();
}

DamagedCopy RandomDamage::copy(std::uint64_t n) const {
  DamagedCopy result{bytes_, "nothing"};
  if (bytes_.empty()) return result;
  Random random(n);
  result.what = kKinds[n % kKinds.size()](result.bytes, random);
  return result;
}

}  // namespace busline
