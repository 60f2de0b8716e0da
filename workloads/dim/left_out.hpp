// What a written Dimemas trace leaves out or changes, counted and reported once at the end.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/collective.hpp"
#include "sim/program/program.hpp"

namespace busline::dim {

struct LeftOut {
  std::uint64_t send_waits = 0;     ///< waits for an Isend
  std::uint64_t open_receives = 0;  ///< from any source or with any tag
  std::uint64_t elapsed = 0;        ///< times independent of the CPU, written as computations
  std::uint64_t ends = 0;           ///< MPI_Init, MPI_Finalize
  std::uint64_t late_starts = 0;    ///< threads that do not begin with a burst
  std::uint64_t threads = 0;        ///< ranks with several
  std::uint64_t measuring = 0;      ///< time marks and local calls of benchmarks
  std::uint64_t block_lists = 0;    ///< collectives that list each peer's size, written with the mean
  std::array<std::uint64_t, kCollectiveKinds> replaced{};  ///< by kind: written as another kind

  /// Adds a Diagnostic for each that occurred, and for the names and times that no record holds.
  void tell(const Program& program, Diagnostics& diagnostics) const;
};

/// The collective that represents `kind` in a Dimemas trace and costs the same unless a platform says
/// otherwise; `kind` itself if the format has it.
CollectiveKind written_as(CollectiveKind kind);

}  // namespace busline::dim
