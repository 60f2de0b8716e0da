// The first pass over a Paraver trace: checks every line, and counts what the second pass keeps of each
// thread.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/paraver/prv_records.hpp"

namespace busline::paraver {

/// Numbers of a state and of events that concern the tracer.
inline constexpr std::int64_t kIdle = 0, kRunning = 1, kNotCreated = 2, kTracingOff = 14;
inline constexpr std::int64_t kFlush = 40'000'003, kTracing = 40'000'012, kTracingMode = 40'000'018;

constexpr bool is_mpi(std::int64_t type) {
  return type >= 50'000'001 && type <= 50'000'005;
}

struct ThreadSurvey {
  std::uint64_t steps = 0;  ///< at most: calls, user events, pauses
  std::uint64_t sends = 0, receives = 0;
  std::int64_t last_event = 0, last_send = 0;
  std::int64_t until = 0;    ///< end of its last record that is not idle time
  std::int64_t running = 0;  ///< time in the state Running
  bool has_records = false, has_mpi = false;
};

struct Survey {
  std::vector<ThreadSurvey> threads;  ///< by Place::index
  std::vector<bool> uses_mpi;         ///< by application
  std::vector<std::optional<std::uint64_t>>
      to_another;  ///< by application: line of a message to or from another one
  std::vector<CommunicatorLine> communicators;
  std::uint64_t states = 0, events = 0, messages = 0;  ///< lines
  std::uint64_t bursts_only = 0;                       ///< switches to a mode without calls
  /// Both times of a receive are not before its end: a simulator wrote the trace, which gives the ends of
  /// calls.
  bool ends_only = true;
  std::size_t bytes = 0;                ///< that were read
  std::optional<Error> stopped_before;  ///< with `salvage`: why the rest is not read
};

/// `salvage`: an error ends the reading and is in Survey::stopped_before.
Expected<Survey> survey(std::string_view text, const std::string& path, const Header& header, bool salvage);

}  // namespace busline::paraver
