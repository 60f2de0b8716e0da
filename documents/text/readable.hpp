// Numbers for reading in a table: few digits, a suitable unit. Exact values are in the JSON documents.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"

namespace busline {

/// Five significant digits: "238.13 ms", "1.5 us", "0 s".
std::string readable(Duration d);
/// At most five, and none below `resolution`: "26.9 ms" for one of 50 us.
std::string readable(Duration d, Duration resolution);
/// With its sign: "+1.5 us".
std::string readable_change(Duration d);
/// For measured times and sums of them, which may be longer than a Duration can be.
std::string readable(std::chrono::nanoseconds t);
/// Four significant digits, powers of 1000: "15.73 MB", "512 B".
std::string readable(Bytes b);
/// Likewise: "1.25 GB/s", "unlimited".
std::string readable(Bandwidth b);
/// Digits in groups: "1,204,311".
std::string readable(std::uint64_t n);
/// A number with its noun: "1 rank", "1,024 ranks". `one` as in noun_after() (sim/base/text_parts.hpp).
std::string readable(std::uint64_t n, std::string_view one);
/// One decimal: "12.3 %".
std::string percent(double share);
/// The same with its sign, such as "+4.2 %" or "-0.3 %".
std::string signed_percent(double share);

/// A common unit for a column of durations, chosen by the largest value.
struct TimeColumn {
  explicit TimeColumn(Duration largest);
  explicit TimeColumn(std::chrono::nanoseconds largest);
  std::string unit;                          ///< "ms"
  std::string operator()(Duration d) const;  ///< "238.131": three decimals, no unit
  std::string operator()(std::chrono::nanoseconds t) const;

 private:
  explicit TimeColumn(double largest_ps);
  double per_unit_;
};

}  // namespace busline
