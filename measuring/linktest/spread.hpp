// The spread of values that are too many to be copied: they are visited several times instead.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace busline::linktest {

/// For times in seconds. With no times all are 0.
struct Spread {
  std::uint64_t count = 0;
  double min = 0, median = 0, mean = 0, max = 0;
};

/// The value that has `rank` others before it when they are sorted. `visit(use)` calls `use` with each value,
/// all finite and greater than 0, always the same ones; there are more than `rank`. Four visits.
template <class Visit>
double select(std::uint64_t rank, const Visit& visit) {
  // Doubles above 0 are ordered like their bits: fix 16 of these at a time, the uppermost first.
  constexpr int kDigit = 16;
  std::uint64_t found = 0;
  for (int shift = 64 - kDigit; shift >= 0; shift -= kDigit) {
    std::vector<std::uint64_t> counts(std::size_t{1} << kDigit);
    visit([&](double value) {
      const auto bits = std::bit_cast<std::uint64_t>(value) ^ found;
      if (shift + kDigit == 64 || bits >> (shift + kDigit) == 0) ++counts[(bits >> shift) & 0xffff];
    });
    std::uint64_t digit = 0;
    while (digit + 1 < counts.size() && rank >= counts[digit]) rank -= counts[digit++];
    found |= digit << shift;
  }
  return std::bit_cast<double>(found);
}

/// Takes no memory and up to six visits, see select().
template <class Visit>
Spread spread_of(const Visit& visit) {
  Spread s;
  visit([&](double value) {
    s.min = s.count == 0 ? value : std::min(s.min, value);
    s.max = std::max(s.max, value);
    s.mean += value;
    ++s.count;
  });
  if (s.count == 0) return s;
  s.mean /= static_cast<double>(s.count);
  s.median = select((s.count - 1) / 2, visit);
  if (s.count % 2 == 1) return s;
  // The other one in the middle is the same again or the next larger value.
  std::uint64_t up_to_median = 0;
  double next = HUGE_VAL;
  visit([&](double value) {
    if (value <= s.median)
      ++up_to_median;
    else
      next = std::min(next, value);
  });
  if (up_to_median == s.count / 2) s.median = (s.median + next) / 2;
  return s;
}

}  // namespace busline::linktest
