// Writes Programs as Dimemas traces (docs/reference/dim.md, "How it is written").
#pragma once
#include <functional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// Writes `program` to `sink`; read_dim makes the same operations of it, as far as a Dimemas trace has
/// records for them. `name` stands in the first line.
///
/// What changes nothing or little is left out and named in `diagnostics`: see docs/reference/dim.md. For what
/// would change the prediction there is an Error of kind bad_option, before anything is written, that names
/// the first such operation: one-sided transfers, probes, buffered sends, waits for synchronous sends, waits
/// out of the order that records can say, MPI_Init and MPI_Finalize inside a run, computations of 106 days,
/// sizes of more than 60 bits.
///
/// `progress`, if any, is told the share that is done and stops the writing when it returns false; the result
/// then is false. Errors of the sink are passed on. Goes over the operations twice.
Expected<bool> write_dim(const Program& program, const std::string& name, ByteSink& sink,
                         Diagnostics& diagnostics, const std::function<bool(double)>& progress = {});

}  // namespace busline
