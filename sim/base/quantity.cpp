#include "sim/base/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace busline {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

tl::unexpected<QuantityError> refuse(std::size_t column, std::string reason) {
  return tl::unexpected(QuantityError{column, std::move(reason)});
}

// A number, optional blanks, a unit, and nothing after it.
template <std::size_t N>
Parsed<double> parse(std::string_view text, const std::array<Unit, N>& units, std::string_view what) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return refuse(1, "expected a number, as in " + std::string(what));
  if (!std::isfinite(number) || number < 0)
    return refuse(1, "expected a number that is finite and not negative");
  auto at = static_cast<std::size_t>(end - text.data());
  while (at < text.size() && text[at] == ' ') ++at;
  const auto unit = text.substr(at);
  for (const auto& u : units)
    if (unit == u.name) {
      const double v = number * u.factor;
      if (!std::isfinite(v)) return refuse(1, "the value is too large");
      return v;
    }
  return refuse(at + 1, unit.empty() ? "a unit is missing, as in " + std::string(what)
                                     : "unknown unit '" + std::string(unit) + "', expected one as in " +
                                           std::string(what));
}

// Factors are to picoseconds, so that a text is rounded once.
constexpr std::array<Unit, 7> kDurations{
    {{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"\u00b5s", 1e6}, {"ns", 1e3}, {"ps", 1}, {"min", 6e13}}};
constexpr std::array<Unit, 19> kBandwidths{{{"B/s", 1},
                                            {"kB/s", 1e3},
                                            {"MB/s", 1e6},
                                            {"GB/s", 1e9},
                                            {"TB/s", 1e12},
                                            {"KiB/s", 1024},
                                            {"MiB/s", 1048576},
                                            {"GiB/s", 1073741824},
                                            {"TiB/s", 1099511627776.0},
                                            {"bps", 0.125},
                                            {"kbps", 125},
                                            {"Mbps", 125e3},
                                            {"Gbps", 125e6},
                                            {"Tbps", 125e9},
                                            {"bit/s", 0.125},
                                            {"kbit/s", 125},
                                            {"Mbit/s", 125e3},
                                            {"Gbit/s", 125e6},
                                            {"Tbit/s", 125e9}}};
constexpr std::array<Unit, 9> kBytes{{{"B", 1},
                                      {"kB", 1e3},
                                      {"MB", 1e6},
                                      {"GB", 1e9},
                                      {"TB", 1e12},
                                      {"KiB", 1024},
                                      {"MiB", 1048576},
                                      {"GiB", 1073741824},
                                      {"TiB", 1099511627776.0}}};

// The shortest decimal that reads back to the same double.
std::string shortest(double v) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v);
  return error == std::errc{} ? std::string(buffer.data(), end) : std::string("0");
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const auto p = parse(text, kDurations, "\"1.5us\"");
  if (!p) return tl::unexpected(p.error());
  if (*p > 9.2e18) return refuse(1, "longer than the 106 days that the simulated clock holds");
  return Duration::from_double(*p);
}

Parsed<Bandwidth> parse_bandwidth(std::string_view text) {
  if (text == "unlimited") return Bandwidth::unlimited();
  const auto p = parse(text, kBandwidths, "\"10 Gbps\" or \"12.5 GB/s\"");
  if (!p) return tl::unexpected(p.error());
  if (*p <= 0) return refuse(1, "a bandwidth must be greater than zero");
  return Bandwidth::bytes_per_second(*p);
}

Parsed<Bytes> parse_bytes(std::string_view text) {
  const auto p = parse(text, kBytes, "\"64KiB\"");
  if (!p) return tl::unexpected(p.error());
  if (*p != std::floor(*p)) return refuse(1, "not a whole number of bytes");
  if (*p > 9007199254740992.0) return refuse(1, "more than 8 PiB");
  return Bytes{static_cast<std::uint64_t>(*p)};
}

std::string to_text(Duration d) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kSteps{
      {{1'000'000'000'000, " s"}, {1'000'000'000, " ms"}, {1'000'000, " us"}, {1'000, " ns"}}};
  for (const auto& [ps, unit] : kSteps)
    if (d.count() >= ps) {
      // For long times the quotient in a double may be off by a picosecond; then it uses whole picoseconds.
      auto text = shortest(static_cast<double>(d.count()) / static_cast<double>(ps)) + std::string(unit);
      if (const auto back = parse_duration(text); back && *back == d) return text;
    }
  return std::to_string(d.count()) + " ps";
}

std::string to_text(Bandwidth b) {
  if (b.is_unlimited()) return "unlimited";
  constexpr std::array<Unit, 3> kSteps{{{" GB/s", 1e9}, {" MB/s", 1e6}, {" kB/s", 1e3}}};
  for (const auto& u : kSteps)
    if (b.in_bytes_per_second() >= u.factor) {
      auto text = shortest(b.in_bytes_per_second() / u.factor) + std::string(u.name);
      if (const auto back = parse_bandwidth(text); back && *back == b) return text;
    }
  return shortest(b.in_bytes_per_second()) + " B/s";
}

std::string to_text(Bytes b) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kSteps{
      {{1073741824, " GiB"}, {1048576, " MiB"}, {1024, " KiB"}}};
  for (const auto& [n, unit] : kSteps)
    if (count(b) >= n && count(b) % n == 0) return std::to_string(count(b) / n) + std::string(unit);
  return std::to_string(count(b)) + " B";
}

Parsed<double> parse_share(std::string_view text) {
  const auto given = text;
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (percent) value /= 100;
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= 0) || !std::isfinite(value))
    return refuse(1, "such as 2% or 0.02");
  if (value > 1 && !percent)
    return refuse(1, "did you mean " + std::string(given) + "%? A share above 1 is written in per cent");
  return value;
}

}  // namespace busline
