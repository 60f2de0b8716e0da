// Writes Programs as time-independent traces, for SimGrid's SMPI to replay (docs/reference/simgrid.md).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// Writes the list `path` and beside it the folder "`path`_files" with a file for each rank, which all appear
/// when all are written. Bursts are in operations of a host that does 10^9 a second; data are of MPI_BYTE.
///
/// What changes a prediction is told in `diagnostics`. Refused, with rank and call, before any file appears:
/// what SMPI's replay does not know or does not tell apart: collectives of some ranks only, non-blocking
/// ones, receives from any source or with any tag, one-sided transfers, probes, several strands of a rank,
/// requests of one name that are not waited for in their order, sizes of 2 GiB and more. False if `progress`
/// (told the share that is done) stopped it. Cost: two passes over the Program; a line is as long as there
/// are ranks where a collective has a size for each.
Expected<bool> write_ti(const Program& program, const std::string& path, Diagnostics& diagnostics,
                        const std::function<bool(double)>& progress = {});

}  // namespace busline
