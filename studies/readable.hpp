// Numbers as a person reads them in a table: few digits, a unit that suits. Exact values are in the JSON
// documents.
#pragma once
#include <cstdint>
#include <string>

#include "sim/units.hpp"

namespace busline {

/// Five significant digits: "238.13 ms", "1.5 us", "0 s".
std::string readable(Duration d);
/// Four significant digits, powers of 1000: "15.73 MB", "512 B".
std::string readable(Bytes b);
/// Likewise: "1.25 GB/s", "unlimited".
std::string readable(Bandwidth b);
/// Digits in groups: "1,204,311".
std::string readable(std::uint64_t n);
/// One decimal: "12.3 %".
std::string percent(double share);

/// One unit for a column of durations: the largest value decides.
struct TimeColumn {
  explicit TimeColumn(Duration largest);
  std::string unit;                          ///< "ms"
  std::string operator()(Duration d) const;  ///< "238.131": three decimals, no unit

 private:
  double per_unit_;
};

}  // namespace busline
