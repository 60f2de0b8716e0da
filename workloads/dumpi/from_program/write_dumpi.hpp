// A Program as a DUMPI trace: Dimemas traces and generated workloads for programs that read DUMPI.
#pragma once
#include <functional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Writes `meta`, whose name ends in .meta, and a file for each rank beside it, which all appear when all are
/// written. Each operation is a call of its own; computation is the time between calls, in whole nanoseconds
/// from the begin of the rank, so that no error adds up. All data are of MPI_BYTE. Communicators other than
/// that of all ranks are made by MPI_Comm_split after MPI_Init.
///
/// False if `progress` (told the share that is done) stopped it. Refused, with rank and call: what DUMPI has
/// no call for (non-blocking collectives), one-sided transfers, several strands of a rank, messages of 2 GiB
/// and more, computations of more than 9 hours. What changes a prediction is told in `diagnostics`. Cost: two
/// passes over the Program.
Expected<bool> write_dumpi(const Program& program, const std::string& meta, Diagnostics& diagnostics,
                           const std::function<bool(double)>& progress = {});

}  // namespace busline
