// Random numbers that are the same on every machine, unlike those of the standard library's distributions.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace busline {

/// SplitMix64 (Steele, Lea, Flood 2014): small, and specified to the bit.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    auto z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 to `bound` - 1; `bound` is not 0. (The last values are rarer by 2^-32 at most.)
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) % bound); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  /// Above 0 and at most 1, from 53 bits.
  double unit() { return static_cast<double>((next() >> 11U) + 1) * 0x1p-53; }
  /// Drawn from the standard normal distribution (G. E. P. Box, M. E. Muller, Ann. Math. Stat. 29 (1958), p.
  /// 610).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }

 private:
  std::uint64_t state_;
};

/// All orders are equally likely (Fisher and Yates).
template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (auto n = values.size(); n > 1; --n)
    std::swap(values[n - 1], values[random.below(static_cast<std::uint32_t>(n))]);
}

}  // namespace busline
