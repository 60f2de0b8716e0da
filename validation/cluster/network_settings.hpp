// What the network of the emulated cluster is like (docs/how-to/cluster.md): the words that `cluster.sh up`
// and `cluster.sh net` take.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::cluster {

inline constexpr std::uint32_t kMostHosts = 64;

/// The machine that the switch imitates: what Dimemas calls L (`links`) and B (`buses`), and what one link
/// does.
struct NetworkSettings {
  Bandwidth rate = Bandwidth::bytes_per_second(12.5e6);  ///< of one link, in each direction
  Duration latency;                                      ///< one way, added to each frame
  std::uint32_t links = 1;                               ///< of each host, out and in
  std::optional<std::uint32_t> buses;                    ///< none: as many as are asked for
  bool halves =
      false;  ///< the buses carry only what goes from the lower half of the hosts to the upper or back
  std::uint32_t mtu = 9000;  ///< bytes of an IP packet
  bool fair = true;  ///< messages that leave a host at once share its link; else first come, first served
  bool operator==(const NetworkSettings&) const = default;
};

/// Reads words such as "rate=100Mbit/s", "lat=500us", "links=2", "bus=4" ("unlimited" or 0: no limit),
/// "halves=1", "mtu=9000", "fair=0". The later of two words counts, and what is not named keeps its default.
/// Errors are bad_option with the word as their place.
Expected<NetworkSettings> parse_network_settings(const std::vector<std::string>& words);

/// One word per setting, all of them, which parse_network_settings reads back to the same.
std::vector<std::string> to_words(const NetworkSettings& settings);

/// The first line of a data set's cluster.txt: rate in Mbit/s and lat in microseconds without their units, as
/// in validation/golden/real_runs.
std::string to_record(const NetworkSettings& settings, std::uint32_t hosts);

}  // namespace busline::cluster
