// The options of Dimemas's command line that change a platform (Dimemas 5.5, main.cpp).
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "documents/fields/cursor.hpp"
#include "documents/fields/printable.hpp"
#include "platforms/dimemas/dimemas_cfg.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

tl::unexpected<Error> refuse(std::string_view option, std::string_view what, std::string_view text) {
  return refuse_option(option, fmt::format("expected {}, found '{}'", what, printable(text)));
}

// A finite number of 0 or more, and nothing after it.
Expected<double> parse_number(std::string_view text, std::string_view option, std::string_view what) {
  double v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(v) || v < 0)
    return refuse(option, what, text);
  return v;
}

}  // namespace

Expected<Bytes> parse_dimemas_size(std::string_view text, std::string_view option) {
  constexpr std::string_view kWhat = "whole bytes, optionally with K, M or G for 2^10, 2^20 or 2^30";
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 53U;
  std::uint64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{}) return refuse(option, kWhat, text);
  const auto suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  std::uint64_t unit = 0;
  if (suffix.empty())
    unit = 1;
  else if (suffix == "K" || suffix == "k")
    unit = std::uint64_t{1} << 10U;
  else if (suffix == "M" || suffix == "m")
    unit = std::uint64_t{1} << 20U;
  else if (suffix == "G" || suffix == "g")
    unit = std::uint64_t{1} << 30U;
  if (unit == 0 || v > kLargest / unit) return refuse(option, kWhat, text);
  return Bytes{v * unit};
}

Expected<Bandwidth> parse_dimemas_bandwidth(std::string_view text, std::string_view option) {
  constexpr std::string_view kWhat = "a bandwidth in MB/s (2^20 bytes/s; 0: unlimited), as in 100.5";
  const auto v = parse_number(text, option, kWhat);
  if (!v) return tl::unexpected(v.error());
  const auto bytes_per_second = *v * 1048576;
  if (!std::isfinite(bytes_per_second)) return refuse(option, kWhat, text);
  return bytes_per_second == 0 ? Bandwidth::unlimited() : Bandwidth::bytes_per_second(bytes_per_second);
}

Expected<Duration> parse_dimemas_latency(std::string_view text, std::string_view option) {
  constexpr std::string_view kWhat = "a latency in seconds, as in 1e-5";
  const auto v = parse_number(text, option, kWhat);
  if (!v) return tl::unexpected(v.error());
  const auto time = Duration::seconds(*v);
  if (time > kLongestTime) return refuse(option, "a latency of 10 days at most", text);
  return time;
}

Expected<void> apply_overrides(Platform& platform, const DimemasOverrides& overrides,
                               Diagnostics& diagnostics) {
  if (overrides.latency && *overrides.latency > kLongestTime)
    return refuse("--latency", "10 days at most", to_text(*overrides.latency));
  for (auto& m : platform.machines) {
    if (overrides.bandwidth) m.network.bandwidth = *overrides.bandwidth;
    if (overrides.latency) m.network.latency = *overrides.latency;
    for (auto& g : m.nodes) {
      if (overrides.latency) g.latency.reset();
      if (overrides.rendezvous_from) g.intra_node.rendezvous_from.reset();
    }
  }
  if (overrides.rendezvous_from) platform.mpi.rendezvous_from = overrides.rendezvous_from;
  if (overrides.rendezvous_from || overrides.all_eager) platform.mpi.ignore_traced_rendezvous = true;
  if (overrides.scheduler) {
    const auto cost = read_scheduler(*overrides.scheduler, diagnostics);
    if (!cost) return tl::unexpected(cost.error());
    platform.context_switch = *cost;
  }
  return {};
}

}  // namespace busline
