// The noise of messages (Platform::noise): latencies and transfers that differ from one message to the next.
#pragma once
#include <algorithm>
#include <cstdint>

#include "models/costs/collective_costs.hpp"
#include "platforms/noise_draws.hpp"

namespace busline {

/// The noise of one run. Its factors follow from the order in which the replay asks for them, which a run
/// always repeats.
class MessageNoise {
 public:
  /// `noise` must outlive it.
  MessageNoise(const Noise& noise, std::uint64_t seed)
      : latency_(noise.latency, Random(seed ^ kLatency).next()),
        bandwidth_(noise.bandwidth, Random(seed ^ kBandwidth).next()) {}

  static bool needed(const Noise& noise) { return !noise.latency.none() || !noise.bandwidth.none(); }

  std::int64_t latency(std::int64_t ps) { return latency_.times_next(ps); }
  std::int64_t transfer(std::int64_t ps) { return bandwidth_.times_next(ps); }
  /// For a flow, whose length is a number of bytes.
  double transfer_factor() { return bandwidth_.next(); }
  double latency_factor() { return latency_.next(); }
  /// A closed form has one latency and one bandwidth for all of its steps. `latency`: the network's.
  void disturb(CollectivePhases& c, Duration latency) {
    const auto total = static_cast<double>(c.held.count()) + static_cast<double>(c.flight.count());
    if (total <= 0) return;
    const double waits = std::min(total, c.network.latencies * static_cast<double>(latency.count()));
    const double factor = (waits * latency_.next() + (total - waits) * bandwidth_.next()) / total;
    const auto times = [factor](Duration d) {
      return std::min(kMost, Duration::from_double(static_cast<double>(d.count()) * factor));
    };
    c.held = times(c.held);
    c.flight = times(c.flight);
  }

 private:
  static constexpr std::uint64_t kLatency = 0x4c61'7465'6e63'7900, kBandwidth = 0x4261'6e64'7769'6400;
  static constexpr Duration kMost = Duration::picoseconds(Duration::max().count() / 4);

  FactorDraws latency_, bandwidth_;
};

}  // namespace busline
