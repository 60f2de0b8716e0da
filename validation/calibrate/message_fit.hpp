// The cost of a single message, from ping-pongs and calls of MPI_Send: latency and bandwidth, the rendezvous
// size, the handshake, the CPU cost of the call, and size classes where one straight line is not enough.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measuring/method/statistics.hpp"
#include "validation/calibrate/message_curves.hpp"
#include "validation/calibrate/missed_octaves.hpp"

namespace busline::calibrate {

using measure::Interval;

/// Share of the latency: a handshake that is shorter counts as none.
inline constexpr double kLeastHandshake = 0.02;

/// A figure and where it lies with 95 % confidence.
struct Fitted {
  double value = 0;
  Interval interval;
};

/// From which size on the sender waits for its receiver.
struct RendezvousFit {
  enum class Known {
    found,         ///< `from` is the limit
    not_reached,   ///< messages of up to `above` are eager: a rendezvous would have shown
    undetermined,  ///< a limit could be anywhere: nothing that was measured depends on it
  };
  Known known = Known::undetermined;
  std::uint64_t from = 0;
  /// The limit is above `above` and at most `at_most`: sizes in between were not measured.
  std::uint64_t above = 0, at_most = 0;
  bool waits_for_transfer = false;   ///< the sender's call lasts until the transfer is over
  bool completion_is_known = false;  ///< `waits_for_transfer` was seen
};

/// Messages of `from` bytes and more cost latency_ps + bytes * ps_per_byte.
struct SizeRange {
  std::uint64_t from = 0;
  double latency_ps = 0, ps_per_byte = 0;
};

struct MessageFit {
  Fitted latency_ps;   ///< half a round trip of an empty message: with what the sender's call costs
  Fitted ps_per_byte;  ///< of the first range; of the last one if octaves asked for the ranges
  std::optional<Fitted> handshake_ps;  ///< nothing: no rendezvous was measured
  /// The handshake of an MPI_Ssend below the limit, where it differs from that of a rendezvous: the
  /// acknowledgement delays the sender alone.
  std::optional<Fitted> synchronous_handshake_ps;
  std::optional<Fitted> send_call_ps;  ///< nothing: no call was measured
  RendezvousFit rendezvous;
  std::vector<SizeRange> ranges;  ///< of sizes, which cost something else each; at least one, from 0 on
  /// Octaves of sizes that no admissible ranges follow; not looked for where only a single line is allowed.
  std::vector<MissedOctave> missed;
  double spread = 0;  ///< relative, of the points around the fit
  /// The share of the largest message's time that is not latency: the bandwidth shows in it.
  double largest_transfer_share = 0;
  /// Fits with other protocols or size classes that the measurements neither exclude nor ask for: their
  /// misfits differ by less than kConvincing. Without intervals.
  std::vector<MessageFit> others;
};

struct MessageFitOptions {
  std::uint64_t seed = 1;
  std::uint32_t replicates = 200;
  /// Results from another part of the machine, used unless `may_differ` and another limit explains much more.
  std::optional<RendezvousFit> rendezvous;
  bool may_differ = false;
  bool ranges = true;  ///< of sizes; otherwise a single line
};

/// `curves` have at least one point of kind `message`. Deterministic. Cost: linear in the points times the
/// different sizes.
MessageFit fit_messages(const MessageCurves& curves, const MessageFitOptions& options);

}  // namespace busline::calibrate
