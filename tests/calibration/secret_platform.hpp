// Tests calibration: measures random platforms like a real machine, with noise, and compares the result with
// the original.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validation/calibrate/calibration.hpp"

namespace busline::calibrate {

/// Latency 0.5 us to 1 ms, bandwidth 10 Mbit/s to 400 Gbit/s, 1 to 4 links, 1 to 32 or unlimited buses, an
/// eager limit or none, with or without a handshake, latency on the CPU or in flight: 40 nodes of 6 CPUs.
Platform secret_platform(std::uint64_t seed);

/// What a name stands for: the number of a secret platform, then any of "eager1k" (rendezvous from 1 KiB, a
/// handshake of two latencies), "overheads" (calls take two and three latencies), "half" (two half-duplex
/// links), and "4x2" (4 nodes of 2 CPUs), with colons between them. Nothing if it is not one.
std::optional<Platform> named_secret(std::string_view name);

/// How the times of a secret platform scatter.
struct SecretNoise {
  double spread = 0;               ///< as in measure::Noise
  std::uint32_t tenfold_once = 0;  ///< one sample in so many takes ten times as long; 0: none
};

/// The calibration set, with or without collectives, on a job that fills the platform. Sizes are such that
/// transfers last longer than latencies.
Expected<measure::Measurement> measured_secret(const Platform& secret, const SecretNoise& noise,
                                               std::uint64_t seed, bool collectives = false);

/// A parameter's true and recovered value. Relative errors; counts as they are.
struct Comparison {
  double latency_error = 0, bandwidth_error = 0;
  bool links_found = false, buses_found = false;
  /// The eager limit is right; or the data cannot determine it (no handshake, and no sender that waits for
  /// the transfer; or a handshake below the noise) and calibration does not claim one.
  bool limit_right = false;
  bool limit_shows = false;  ///< the data determine it
  bool latency_at_right = false;
};
Comparison compare(const Platform& secret, const Platform& found, double noise);

/// Heading and a line for a table of secrets.
std::string comparison_heading();
std::string comparison_line(std::uint64_t seed, const Platform& secret, const Platform& found, double noise);

}  // namespace busline::calibrate
