// Writes Programs as Dimemas traces (docs/reference/dim.md, "How it is written").
#pragma once
#include <functional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/files/output_file.hpp"

namespace busline {

/// Writes `program` to `sink`; read_dim makes the same operations of it, as far as a Dimemas trace has
/// records for them. `name` goes into the first line.
///
/// Details that hardly change the prediction are left out and named in `diagnostics`: see
/// docs/reference/dim.md. Operations that would change it give an Error of kind bad_option, before anything
/// is written, which names the first one: one-sided transfers, probes, buffered sends, waits for synchronous
/// sends, waits in an order that records cannot express, MPI_Init and MPI_Finalize inside a run, computations
/// of 106 days, sizes of more than 60 bits.
///
/// `progress`, if any, gets the completed share and stops the writing by returning false; the result is then
/// false. Errors of the sink are passed on. Cost: two passes over the operations.
Expected<bool> write_dim(const Program& program, const std::string& name, ByteSink& sink,
                         Diagnostics& diagnostics, const std::function<bool(double)>& progress = {});

}  // namespace busline
