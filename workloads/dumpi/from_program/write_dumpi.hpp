// Writes a Program as a DUMPI trace, so that programs that read DUMPI can use Dimemas traces and generated
// workloads.
#pragma once
#include <functional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Writes `meta`, whose name ends in .meta, and a file for each rank beside it; all appear once all are
/// written. Each operation is a separate call; computation is the time between calls, in whole nanoseconds
/// from the begin of the rank, so that rounding errors do not add up. All data are of MPI_BYTE. Communicators
/// other than that of all ranks are made by MPI_Comm_split after MPI_Init.
///
/// Non-blocking collectives lie in annotations (docs/reference/dumpi.md, "MPI-3").
///
/// False if `progress` (called with the completed share) stopped it. Rejected, with rank and call: operations
/// without a DUMPI call, one-sided transfers, several strands of a rank, messages of 2 GiB and more,
/// computations of more than 9 hours. Changes that affect a prediction are reported in `diagnostics`. Cost:
/// two passes over the Program.
Expected<bool> write_dumpi(const Program& program, const std::string& meta, Diagnostics& diagnostics,
                           const std::function<bool(double)>& progress = {});

}  // namespace busline
