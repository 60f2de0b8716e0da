#include "documents/text/quantity_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace busline {

void QuantityColumn::see(double value) {
  const auto size = std::abs(value);
  if (size == 0) {
    zero_ = true;
    return;
  }
  smallest_ = std::min(smallest_, size);
  largest_ = std::max(largest_, size);
  binary_ = binary_ && std::fmod(size, 1024) == 0;
}

// The largest unit in which the smallest number is 1 or more; or, where numbers have long lines of digits
// then, the largest number.
QuantityColumn::Chosen QuantityColumn::unit() const {
  static constexpr std::array<Chosen, 5> kSeconds{
      {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}, {1, "ps"}}};
  static constexpr std::array<Chosen, 5> kBytes{
      {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
  static constexpr std::array<Chosen, 5> kBinary{
      {{0x1p40, "TiB"}, {0x1p30, "GiB"}, {0x1p20, "MiB"}, {0x1p10, "KiB"}, {1, "B"}}};
  static constexpr std::array<Chosen, 5> kRates{
      {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}}};
  std::span<const Chosen> units;
  switch (kind_) {
    case QuantityKind::number:
      return {1, ""};
    case QuantityKind::time:
      units = kSeconds;
      break;
    case QuantityKind::bytes:
      units = binary_ ? kBinary : kBytes;
      break;
    case QuantityKind::bandwidth:
      units = kRates;
      break;
  }
  if (!(largest_ > 0)) return kind_ == QuantityKind::time ? units.front() : units.back();
  constexpr double kLongNumbers = 1e5;
  const auto suiting = [&](double value) {
    const auto found =
        std::find_if(units.begin(), units.end(), [&](const Chosen& u) { return value >= u.size; });
    return found == units.end() ? units.back() : *found;
  };
  const auto small = suiting(smallest_);
  return largest_ / small.size < kLongNumbers ? small : suiting(largest_);
}

std::string QuantityColumn::heading(std::string_view label) const {
  const auto u = unit();
  return *u.name == '\0' ? std::string(label) : fmt::format("{} [{}]", label, u.name);
}

std::string QuantityColumn::result(double value) const {
  const auto u = unit();
  if (!(largest_ > 0)) return fmt::format("{:.0f}", value / u.size);
  constexpr double kDigits = 5, kMostDecimals = 6;
  const auto decimals = kDigits - 1 - std::floor(std::log10(smallest_ / u.size));
  if (decimals > kMostDecimals) return fmt::format("{:.5g}", value / u.size);
  return fmt::format("{:.{}f}", value / u.size, static_cast<int>(std::max(decimals, 0.0)));
}

std::string QuantityColumn::setting(double value) const {
  return fmt::format("{:.6g}", value / unit().size);
}

}  // namespace busline
