#include "documents/text/readable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

struct Unit {
  double size;
  const char* name;
};
constexpr std::array<Unit, 5> kTimes{{{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}}};
constexpr std::array<Unit, 5> kSizes{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};

template <std::size_t N>
Unit suiting(const std::array<Unit, N>& units, double value) {
  for (const auto& u : units)
    if (std::abs(value) >= u.size) return u;
  return units.back();
}

double picoseconds(Duration d) {
  return static_cast<double>(d.count());
}
double picoseconds(std::chrono::nanoseconds t) {
  return static_cast<double>(t.count()) * 1e3;
}

std::string readable_time(double ps) {
  if (ps == 0) return "0 s";
  const auto unit = suiting(kTimes, ps);
  return fmt::format("{:.5g} {}", ps / unit.size, unit.name);
}

}  // namespace

std::string readable(Duration d) {
  return readable_time(picoseconds(d));
}

std::string readable(Duration d, Duration resolution) {
  const auto ps = picoseconds(d);
  const auto unit = suiting(kTimes, ps);
  const auto least = picoseconds(resolution) / unit.size;
  auto text = readable(d);
  if (least <= 0 || ps == 0) return text;
  const auto decimals = std::max(0, static_cast<int>(std::floor(-std::log10(least))));
  const auto shorter = fmt::format("{:.{}f} {}", ps / unit.size, decimals, unit.name);
  return shorter.size() < text.size() ? shorter : text;
}

std::string readable_change(Duration d) {
  auto text = readable(d);
  if (d > Duration()) text.insert(0, 1, '+');
  return text;
}

std::string readable(std::chrono::nanoseconds t) {
  return readable_time(picoseconds(t));
}

std::string readable(Bytes b) {
  const auto bytes = static_cast<double>(count(b));
  const auto unit = suiting(kSizes, bytes);
  return fmt::format("{:.4g} {}", bytes / unit.size, unit.name);
}

std::string readable(Bandwidth b) {
  if (b.is_unlimited()) return "unlimited";
  const auto unit = suiting(kSizes, b.in_bytes_per_second());
  return fmt::format("{:.4g} {}/s", b.in_bytes_per_second() / unit.size, unit.name);
}

std::string readable(std::uint64_t n) {
  auto digits = std::to_string(n);
  for (auto at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string readable(std::uint64_t n, std::string_view one) {
  return fmt::format("{} {}", readable(n), noun_after(n, one));
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string signed_percent(double share) {
  return fmt::format("{:+.1f} %", share * 100);
}

TimeColumn::TimeColumn(double largest_ps) {
  const auto u = suiting(kTimes, largest_ps);
  unit = largest_ps == 0 ? "s" : u.name;
  per_unit_ = largest_ps == 0 ? 1e12 : u.size;
}

TimeColumn::TimeColumn(Duration largest) : TimeColumn(picoseconds(largest)) {}

TimeColumn::TimeColumn(std::chrono::nanoseconds largest) : TimeColumn(picoseconds(largest)) {}

std::string TimeColumn::operator()(Duration d) const {
  return fmt::format("{:.3f}", picoseconds(d) / per_unit_);
}

std::string TimeColumn::operator()(std::chrono::nanoseconds t) const {
  return fmt::format("{:.3f}", picoseconds(t) / per_unit_);
}

}  // namespace busline
