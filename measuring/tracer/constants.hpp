// The numbers that stand for MPI's constants in a trace (DUMPI 13.0.0, as its files show them).
#pragma once
#include <cstdint>
#include <string_view>

#include "measuring/tracer/mpi.hpp"

namespace busline::tracer {

/// What MPI_PROC_NULL is written as, whatever the MPI library uses: Open MPI's number, which no reader can
/// take for MPI_ANY_SOURCE. MPICH's own is -1.
inline constexpr std::int32_t kProcNull = -2;

/// A rank that sends or receives. (MPICH's MPI_PROC_NULL is its MPI_ANY_TAG.)
inline std::int32_t rank_of(int value) {
  if (value == MPI_PROC_NULL) return kProcNull;
  return value == MPI_ANY_SOURCE ? -1 : value;
}
inline std::int32_t tag_of(int value) {
  return value == MPI_ANY_TAG ? -1 : value;
}

/// A constant of the kind that the table of the format names: "cmp", "topo", "thrlevel", "order", "distrib",
/// "locktype", "whence", "typeclass", "winassert", "filemode", "combiner". 0, or 255 of window assertions, if
/// it is none that the format knows.
std::int32_t constant(std::string_view kind, int value);

}  // namespace busline::tracer
