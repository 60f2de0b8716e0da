// Reads and writes the quantities in platform files: "1.5us", "10 Gbps", "64KiB".
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "sim/base/units.hpp"

namespace busline {

/// The place and the reason for which a text could not be read. `column` counts from 1 within the text.
struct QuantityError {
  std::size_t column;
  std::string reason;
};

template <class T>
using Parsed = tl::expected<T, QuantityError>;

/// "250ns", "1.5 us", "2s". A unit is required; the result is rounded to a picosecond.
Parsed<Duration> parse_duration(std::string_view text);
/// "12.5 GB/s" (bytes), "100 Gbps" or "100 Gbit/s" (bits, powers of 1000), "11 GiB/s", "unlimited".
Parsed<Bandwidth> parse_bandwidth(std::string_view text);
/// "64KiB", "1 MB", "4096 B". Fractions are rejected unless they give whole bytes.
Parsed<Bytes> parse_bytes(std::string_view text);

/// "2%" or "0.02": finite, 0 or more. Above 1 only in per cent, since "10" mostly stands for "10%". The
/// caller checks the range; an error's reason is a hint.
Parsed<double> parse_share(std::string_view text);

/// Shortest text that parse_duration reads back to the same picosecond, in a suitable unit: "1.5 us". Beyond
/// 2^53 ps (2.5 hours) the last digits may differ, since texts are read as doubles.
std::string to_text(Duration d);
/// Shortest text that parse_bandwidth reads back to the same value: "12.5 GB/s"; "unlimited".
std::string to_text(Bandwidth b);
/// "64 KiB" where that is exact, else "65537 B".
std::string to_text(Bytes b);

}  // namespace busline
