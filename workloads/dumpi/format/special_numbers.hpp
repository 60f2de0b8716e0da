// Numbers in records that have a meaning in MPI, for code that computes with them; names.hpp has the names of
// all of them. libdumpi numbers handles itself, other numbers are those of the MPI library that ran.
#pragma once
#include <cstdint>

namespace busline::dumpi {

/// Communicators; from kFirstMadeComm on they are made by calls.
inline constexpr std::int64_t kCommNull = 1, kCommWorld = 2, kCommSelf = 3, kFirstMadeComm = 4;

/// MPI_ANY_SOURCE and MPI_ANY_TAG, in Open MPI and MPICH.
inline constexpr std::int64_t kAnyNumber = -1;

/// MPI_UNDEFINED, in Open MPI and MPICH.
inline constexpr std::int64_t kUndefinedNumber = -32766;

/// A root on an inter-communicator: MPI_PROC_NULL is -1 or -2, MPI_ROOT is -3 (MPICH) or -4 (Open MPI).
inline constexpr std::int64_t kLowestMpiRoot = -4, kHighestMpiRoot = -3;

/// Stamps are in seconds and nanoseconds.
inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000, kPicosecondsPerNanosecond = 1000;

}  // namespace busline::dumpi
