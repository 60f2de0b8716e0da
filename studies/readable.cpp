#include "studies/readable.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

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

}  // namespace

std::string readable(Duration d) {
  if (d == Duration()) return "0 s";
  const auto ps = static_cast<double>(d.count());
  const auto unit = suiting(kTimes, ps);
  return fmt::format("{:.5g} {}", ps / unit.size, unit.name);
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

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

TimeColumn::TimeColumn(Duration largest) {
  const auto u = suiting(kTimes, static_cast<double>(largest.count()));
  unit = largest == Duration() ? "s" : u.name;
  per_unit_ = largest == Duration() ? 1e12 : u.size;
}

std::string TimeColumn::operator()(Duration d) const {
  return fmt::format("{:.3f}", static_cast<double>(d.count()) / per_unit_);
}

}  // namespace busline
