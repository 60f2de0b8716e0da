// Tests calibration: measures random platforms like a real machine, with noise, and compares the result with
// the original.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "validation/calibrate/calibration.hpp"

namespace busline::calibrate {

/// Latency 0.5 us to 1 ms, bandwidth 10 Mbit/s to 400 Gbit/s, 1 to 4 links, 1 to 32 or unlimited buses, an
/// eager limit or none, with or without a handshake, latency on the CPU or in flight: 40 nodes of 6 CPUs.
Platform secret_platform(std::uint64_t seed);

/// The calibration set without collectives, on a job that fills the platform, with `noise` as in
/// measure::Noise. Sizes are such that transfers last longer than latencies.
Expected<measure::Measurement> measured_secret(const Platform& secret, double noise, std::uint64_t seed);

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
