// The events of MPI calls in Paraver traces, with Extrae's numbers. Sources: the .pcf files that Extrae and
// Dimemas write, and Extrae's encoding of MPI calls.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace busline::paraver {

/// Types of events. One with the value of a call stands where the call begins, one with 0 where it ends.
inline constexpr std::uint32_t kPointToPoint = 50'000'001, kCollective = 50'000'002, kOther = 50'000'003,
                               kOneSided = 50'000'004, kFile = 50'000'005;
/// Events beside the begin of a collective: the bytes of the call's own arguments (collective_sizes.hpp), 1
/// on the root, and the number of the communicator.
inline constexpr std::uint32_t kSentBytes = 50'100'001, kReceivedBytes = 50'100'002, kRoot = 50'100'003,
                               kCommunicator = 50'100'004;

struct MpiCode {
  std::string_view name;
  std::uint32_t type = 0, value = 0;
};
/// All that Extrae has a number for, by number.
std::span<const MpiCode> mpi_codes();
/// nullptr: Extrae has none.
const MpiCode* find_mpi_code(std::string_view name);

}  // namespace busline::paraver
