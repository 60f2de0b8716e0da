// Whether handshakes wait for the data that their rank has sent to the same peer, as over TCP
// (docs/decisions/083-handshakes-behind-data.md).
#pragma once
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

/// What the suite of late exchanges shows: with which of both `platform`, whose other figures are right and
/// which progresses in calls, predicts it better. Nothing without the suite, and where both predict it alike
/// to within a tenth. Cost: two simulations of each point.
std::optional<Mpi::Handshakes> measured_handshakes(const std::vector<measure::Suite>& suites,
                                                   const Platform& platform);

/// A latency from which messages between nodes pass the operating system: networks that a library drives
/// itself take 1 to 3 us, TCP 15 us and more.
inline constexpr Duration kLatencyOfTcp = Duration::picoseconds(10'000'000);
/// What follows from the network's latency alone.
Mpi::Handshakes assumed_handshakes(const Platform& platform);

}  // namespace busline::calibrate
