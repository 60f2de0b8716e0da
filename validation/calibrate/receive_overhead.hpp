// What sends and receives cost their CPUs where no call was timed. A ping-pong hides it in waiting; a window
// of small messages shows it where it is longer than a send (docs/how-to/calibration.md, "Message costs").
#pragma once
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "validation/calibrate/message_fit.hpp"

namespace busline::calibrate {

/// The overhead with which `platform`, whose other figures of messages are right, takes as long for a window
/// of the smallest messages between nodes as was measured, in picoseconds. Nothing without such a suite, and
/// where receives are no longer than sends. Cost: some dozens of simulations of the window.
std::optional<Fitted> receive_overhead(const std::vector<measure::Suite>& suites, const Platform& platform);
/// Whether there is such a suite: receives that it does not show are no longer than sends.
bool has_window(const std::vector<measure::Suite>& suites);

/// Where calls of MPI_Send were not measured, a window of small messages both ways shows what a send costs:
/// each rank sends and receives. Moves that part of the latency to the sender's CPU, so that a ping-pong
/// takes as long as before. False, and nothing changes, without such a suite, and where `platform` explains
/// it.
bool settle_send(const std::vector<measure::Suite>& suites, Platform& platform);

/// Puts the latency inside nodes right where receives are what ping-pongs there wait for: half a round trip
/// is then half of both calls and of the latency, whose interval is wide. `receive_ps` is that of receives.
/// Returns it in picoseconds. Nothing, and nothing changes, where the latency shows and the platform predicts
/// small messages as measured, to within their error.
std::optional<Fitted> settle_memory_latency(const std::vector<measure::Suite>& suites,
                                            const Interval& receive_ps, Platform& platform);

/// The same for the handshake, from MPI_Ssend of small messages: where receives are longer than sends, one
/// may not be posted yet when it is asked for, and the wait looks like a longer handshake. `receive_ps` is
/// the interval of the overhead of receives. Nothing, and nothing changes, without such messages, or a limit,
/// or if MPI_Ssend has a handshake of its own.
std::optional<Fitted> settle_handshake(const std::vector<measure::Suite>& suites, const Interval& receive_ps,
                                       Platform& platform);

}  // namespace busline::calibrate
