// The critical path of a run: the causes of the last rank's end, back to the start. It follows the program: a
// blocked rank is not on it, but the operation that it was blocked for is, and where that began late the path
// continues at the partner. A queued message is on it with its queue, not with the messages ahead of it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/replay/observer.hpp"

namespace busline {

/// The activity in a part of the path.
enum class PathCause : std::uint8_t {
  compute,
  cpu_wait,    ///< ready, but the CPUs of the node were taken
  overhead,    ///< latency and overheads on a CPU
  handshake,   ///< before a rendezvous transfer
  transfer,    ///< of a single message, on its machine's network
  memory,      ///< likewise inside of a node
  wan,         ///< likewise between machines
  sharing,     ///< the delay of a transfer by others
  flight,      ///< latency in flight
  collective,  ///< a closed form, once all had arrived and it had its buses
  queue,       ///< the first of kQueues: in a queue, by ResourceKind
};
inline constexpr std::size_t kPathCauses = static_cast<std::size_t>(PathCause::queue) + kQueues;
constexpr PathCause queue_cause(ResourceKind q) {
  return static_cast<PathCause>(static_cast<std::size_t>(PathCause::queue) + static_cast<std::size_t>(q));
}
/// For documents: "compute", "link_out".
std::string_view name_of(PathCause cause);
/// For readers: "computing", "waiting for an output link".
std::string_view description_of(PathCause cause);

/// Durations by PathCause.
using PathParts = std::array<Duration, kPathCauses>;

/// A part of the path. A message's parts belong to its sender; a collective's, to its last member to arrive.
struct PathSegment {
  Time from;
  Duration length;
  PathCause cause = PathCause::compute;
  RankId rank{};
  std::uint32_t call = 0;  ///< index into CriticalPath::calls
};

/// A place where the path leaves a rank that was blocked because its partner arrived later.
struct LatePartner {
  Time at;        ///< when the partner came
  Duration late;  ///< how long the other had waited by then
  RankId waiting{}, partner{};
  std::uint32_t call = 0;  ///< in which the other waited; index into CriticalPath::calls
};

struct CriticalPath {
  struct Call {
    std::string name;  ///< empty: between calls
    PathParts parts{};
    Duration total;
  };
  Duration total;  ///< the run time: the sum of all parts
  PathParts parts{};
  IdVector<RankId, PathParts> by_rank;
  std::vector<Call> calls;  ///< those that are on the path, the longest first
  std::uint64_t segments = 0;
  std::vector<PathSegment> longest;  ///< as many as requested, the longest first
  std::uint64_t late_partners = 0;
  Duration partners_late;           ///< their sum; not a part of the path, which continues at the partners
  std::vector<LatePartner> latest;  ///< likewise
};

}  // namespace busline
