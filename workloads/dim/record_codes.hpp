// The numbers in the records of a Dimemas trace (docs/reference/dim.md, "Records").
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/units.hpp"
#include "sim/program/collective.hpp"

namespace busline::dim {

namespace record {
inline constexpr std::int64_t kNoop = 0, kBurst = 1, kSend = 2, kReceive = 3, kCollective = 10,
                              kAcceleratorBurst = 11, kEvent = 20;
}
namespace send_mode {
inline constexpr std::int64_t kStandard = 0, kRendezvous = 1, kImmediate = 2, kImmediateRendezvous = 3;
}
namespace receive_mode {
inline constexpr std::int64_t kRecv = 0, kIrecv = 1, kWait = 2, kWaitall = 3;
}
namespace synchronisation {
inline constexpr std::int64_t kStart = 0, kBlocking = 1, kWait = 2, kAtRoot = 3;
}

inline constexpr std::int64_t kAny = -1;            ///< a source or a tag
inline constexpr std::int64_t kMessage = -1;        ///< thread of the other side: any, since ranks talk
inline constexpr std::int64_t kCollectiveIds = 16;  ///< 0..15, and the same plus 16 for the MPI_I operations
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 60;

inline constexpr std::int64_t kSecond = 1'000'000'000'000;  ///< ps
/// Whole seconds of the longest burst: about 106 days.
inline constexpr std::int64_t kMostSeconds = Duration::max().count() / kSecond - 1;

/// "MPI_Ibcast"
inline std::string nonblocking_name(CollectiveKind kind) {
  std::string name(name_of(kind));  // "MPI_Bcast"
  name[4] = static_cast<char>(name[4] - 'A' + 'a');
  return name.insert(4, 1, 'I');
}

}  // namespace busline::dim
