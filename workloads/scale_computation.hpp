// Computation of some regions of a Program, made longer or shorter: a faster solver, slower I/O.
#pragma once
#include <span>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// What lasts `factor` times as long.
struct RegionScale {
  /// One of:
  /// - "MPI_Allreduce..MPI_Send": the computation between a call of the first and a call of the second, where
  ///   these follow one another. Either may be missing, which is any call, or the begin or end of a rank.
  /// - "MPI_File_write_at": the time that passes in calls of this name by itself (OpKind::compute with
  ///   Operation::elapsed).
  /// - "solve": the computation while a user event with this text lasts (EventLabel): a function, a phase, an
  ///   annotation.
  /// A name may end in `*`, which stands for any end.
  std::string region;
  double factor = 1;  ///< finite, 0 or more
  bool operator==(const RegionScale&) const = default;
};

/// `program` with these factors; those of several regions that hold the same computation are multiplied.
/// Errors: a factor out of range; a region that holds no computation, with the names that there are. Cost:
/// linear in the operations times the regions.
Expected<Program> scale_computation(const Program& program, std::span<const RegionScale> scales);

}  // namespace busline
