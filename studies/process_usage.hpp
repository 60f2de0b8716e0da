// What this process has used so far, as Linux tells it.
#pragma once
#include <cstdint>

namespace busline {

/// User CPU time in seconds; the system's own share is left out.
double user_seconds();

/// Bytes that are in memory now, and the most since start or since the last reset. 0 where /proc does not
/// tell.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
/// Gives free memory back to the system and lowers the peak to what is resident then. Does nothing where the
/// system does not allow it.
void reset_peak_resident();
/// Bytes that are allocated and not freed.
std::uint64_t allocated_bytes();

}  // namespace busline
