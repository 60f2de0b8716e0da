#include "validation/cluster/network_settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/base/quantity.hpp"

namespace busline::cluster {
namespace {

constexpr std::uint32_t kSmallestMtu = 576;    // every IPv4 host takes that much (RFC 791)
constexpr std::uint32_t kLargestMtu = 65'521;  // of a TAP device: 65535 less the Ethernet header
constexpr std::uint32_t kMostLinks = 1024;
constexpr auto kLongestLatency = Duration::seconds(10);

tl::unexpected<Error> refuse(std::string_view word, std::string reason, std::string hint = {}) {
  return refuse_option(std::string(word), std::move(reason), std::move(hint));
}

Expected<std::uint32_t> whole_number(std::string_view word, std::string_view value, std::uint32_t from,
                                     std::uint32_t to) {
  std::uint32_t n = 0;
  const auto* last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, n);
  if (error != std::errc{} || end != last || n < from || n > to)
    return refuse(word, fmt::format("expected a whole number from {} to {}", from, to));
  return n;
}

Expected<bool> yes_or_no(std::string_view word, std::string_view value) {
  return whole_number(word, value, 0, 1).map([](std::uint32_t n) { return n == 1; });
}

// Writes `value` to `setting`, or gives what was wrong.
template <class T, class U>
Expected<void> assign(T& setting, const Expected<U>& value) {
  if (!value) return tl::unexpected(value.error());
  setting = *value;
  return {};
}

template <class T, class U>
Expected<void> assign(std::string_view word, T& setting, const Parsed<U>& value) {
  if (!value) return refuse(word, value.error().reason);
  setting = *value;
  return {};
}

Expected<void> set(NetworkSettings& s, std::string_view word) {
  const auto equals = word.find('=');
  const auto key = word.substr(0, equals);
  const auto value = equals == word.npos ? std::string_view{} : word.substr(equals + 1);
  if (key == "rate") return assign(word, s.rate, parse_bandwidth(value));
  if (key == "lat") {
    const auto set = assign(word, s.latency, parse_duration(value));
    return set && s.latency > kLongestLatency ? refuse(word, "longer than 10 s") : set;
  }
  if (key == "links") return assign(s.links, whole_number(word, value, 1, kMostLinks));
  if (key == "bus") {
    s.buses.reset();
    if (value == "unlimited" || value == "0") return {};  // Dimemas writes 0
    return assign(s.buses, whole_number(word, value, 1, kMostLinks));
  }
  if (key == "halves") return assign(s.halves, yes_or_no(word, value));
  if (key == "mtu") return assign(s.mtu, whole_number(word, value, kSmallestMtu, kLargestMtu));
  if (key == "fair") return assign(s.fair, yes_or_no(word, value));
  const auto meant = nearest_name({"rate", "lat", "links", "bus", "halves", "mtu", "fair"}, key);
  return refuse(word, "expected rate=, lat=, links=, bus=, halves=, mtu= or fair=",
                meant.empty() ? std::string{} : fmt::format("did you mean '{}='?", meant));
}

// The shortest decimals that read back to the same.
std::string megabits(Bandwidth b) {
  return fmt::format("{}", b.in_bytes_per_second() * 8 / 1e6);
}
std::string microseconds(Duration d) {
  return fmt::format("{}", static_cast<double>(d.count()) / 1e6);
}

}  // namespace

Expected<NetworkSettings> parse_network_settings(const std::vector<std::string>& words) {
  NetworkSettings s;
  for (const auto& word : words)
    if (const auto done = set(s, word); !done) return tl::unexpected(done.error());
  return s;
}

std::vector<std::string> to_words(const NetworkSettings& s) {
  return {s.rate.is_unlimited() ? "rate=unlimited" : fmt::format("rate={}Mbit/s", megabits(s.rate)),
          fmt::format("lat={}us", microseconds(s.latency)),
          fmt::format("links={}", s.links),
          s.buses ? fmt::format("bus={}", *s.buses) : "bus=unlimited",
          fmt::format("halves={:d}", s.halves),
          fmt::format("mtu={}", s.mtu),
          fmt::format("fair={:d}", s.fair)};
}

std::string to_record(const NetworkSettings& s, std::uint32_t hosts) {
  return fmt::format("N={} net=tap rate={} lat={} links={} bus={} halves={:d} mtu={} fair={:d}", hosts,
                     s.rate.is_unlimited() ? "0" : megabits(s.rate), microseconds(s.latency), s.links,
                     s.buses.value_or(0), s.halves, s.mtu, s.fair);
}

}  // namespace busline::cluster
