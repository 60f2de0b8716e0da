// A testbed's report of a job's launch, and ZiaTest's summary of it: the time of the last stamp, and the
// phases in which it passed (docs/reference/ziatest.md).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.hpp"
#include "workloads/ziatest/pair_exchange.hpp"

namespace busline::ziatest {

/// Size of the program's executable: an array of 100 MiB.
inline constexpr Bytes kImage{100 * 1024 * 1024};

/// The job to launch.
struct LaunchJob {
  Exchange exchange;
  Bytes image = kImage;
  bool operator==(const LaunchJob&) const = default;
};

/// The way of a rank to its time stamp, in order. Each phase ends where the next one begins.
enum class Phase : std::uint8_t {
  start,   ///< the launcher's command comes to the node
  image,   ///< the executable comes to the node
  daemon,  ///< the node's daemon gets ready
  spawn,   ///< the process is started
  init,    ///< MPI_Init
  pair,    ///< the exchange, until the time stamp
};
inline constexpr std::size_t kPhases = 6;

/// How long after the launch each rank was through a phase.
struct LaunchTimes {
  /// When Phase::start to Phase::init ended, by rank. Empty where a testbed cannot see into the launch.
  std::array<std::vector<Duration>, kPhases - 1> ends;
  /// By rank; those that take no stamp have none. At least one has, unless the launch was interrupted: then
  /// there are no ranks.
  std::vector<std::optional<Duration>> stamps;
};

struct PhaseTime {
  Phase phase = Phase::start;
  /// How much later the last rank is through this phase than the last one was through the phase before:
  /// these add up to the total.
  Duration critical;
  Duration slowest_rank;  ///< the slowest rank's own time; these also add up to the total
  bool operator==(const PhaseTime&) const = default;
};

/// ZiaTest's output.
struct StartupResult {
  LaunchJob job;
  Duration total;                  ///< from the launch to the last time stamp
  std::uint32_t slowest_rank = 0;  ///< who took it; of several the one with the highest number
  std::vector<PhaseTime> phases;   ///< all of them, or none if they are not known
  bool operator==(const StartupResult&) const = default;
};

/// Forms the result. `times` must be of `job.exchange.ranks()` ranks.
StartupResult startup_result(const LaunchJob& job, const LaunchTimes& times);

}  // namespace busline::ziatest
