// Writes Programs as time-independent traces, for SimGrid's SMPI to replay (docs/reference/simgrid.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// Writes the list `path` and beside it the folder "`path`_files" with a file for each rank; all appear once
/// all are written. Bursts are in operations of a host that does 10^9 per second; data are of MPI_BYTE.
///
/// Changes that affect a prediction are reported in `diagnostics`. Rejected, with rank and call, before any
/// file appears, is what SMPI's replay does not know or distinguish: collectives of some ranks only,
/// non-blocking ones, receives from any source or with any tag, one-sided transfers, probes, several strands
/// of a rank, requests of one name whose waits are not in their order, sizes of 2 GiB and more. False if
/// `progress` (called with the completed share) stopped it. Cost: two passes over the Program; lines of
/// collectives with a size for each rank grow with the number of ranks.
Expected<bool> write_ti(const Program& program, const std::string& path, Diagnostics& diagnostics,
                        const std::function<bool(double)>& progress = {});

}  // namespace busline
