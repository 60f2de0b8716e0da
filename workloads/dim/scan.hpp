// Parses numbers in the lines of a Dimemas trace. Every line ends with '\n' (read_dim ensures it), where a
// digit loop stops, so nothing here needs the end of the file.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/base/units.hpp"
#include "workloads/dim/record_codes.hpp"

namespace busline::dim {

/// Reads a whole number with an optional '-' at `p`. Returns what follows it, or nullptr if there is none or
/// if it has more than 63 bits.
inline const char* scan_number(const char* p, std::int64_t& value) {
  const bool negative = *p == '-';
  if (negative) ++p;
  const char* const digits = p;
  std::uint64_t n = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') <= 9; ++p) n = n * 10 + digit;
  constexpr std::ptrdiff_t kMostDigits = 19;  // 10^19 fits into 64 bits
  if (p == digits || p - digits > kMostDigits) return nullptr;
  if (n > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return nullptr;
  value = negative ? -static_cast<std::int64_t>(n) : static_cast<std::int64_t>(n);
  return p;
}

/// Reads seconds at `p` ("0.000200123", "1e-06"); rounded to the nearest picosecond. A plain decimal is read
/// digit by digit, without the error of a double. Returns what follows, or nullptr if that is not a number,
/// is negative or exceeds the clock's 106 days.
inline const char* scan_seconds(const char* p, Duration& value) {
  const char* const begin = p;
  std::int64_t seconds = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') <= 9; ++p)
    if ((seconds = seconds * 10 + digit) > kMostSeconds) return nullptr;
  bool any = p != begin;
  std::int64_t fraction = 0, weight = kSecond;
  if (*p == '.') {
    const char* const point = p++;
    for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') <= 9; ++p) {
      if (weight > 1) {
        weight /= 10;
        fraction += weight * digit;
      } else if (weight == 1) {  // the 13th digit decides how the 12th is rounded
        weight = 0;
        fraction += digit >= 5 ? 1 : 0;
      }
    }
    any = any || p != point + 1;
  }
  if (any && *p != 'e' && *p != 'E') {
    value = Duration::picoseconds(seconds * kSecond + fraction);
    return p;
  }
  const char* end = begin;
  while (*end != '\n') ++end;
  double number = 0;
  const auto [after, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || !(number >= 0 && number <= static_cast<double>(kMostSeconds))) return nullptr;
  value = Duration::seconds(number);
  return after;
}

}  // namespace busline::dim
