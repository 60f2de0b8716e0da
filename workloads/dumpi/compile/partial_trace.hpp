// Traces in which some calls were made but not recorded: can the rest be simulated?
#pragma once
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/dumpi/compile/survey.hpp"

namespace busline::dumpi {

/// Names the calls that were not recorded in a warning ("ignored-calls"), and rejects the trace if one of
/// them, or an MPI-3 call (notices.mpi3), sends, receives or synchronises and an operation of `program` has
/// no partner. `paths`: the rank files. Cost: linear in the operations, and nothing if all calls were
/// recorded.
Expected<void> check_partial_trace(const Program& program, const std::vector<RankSurvey>& ranks,
                                   const std::vector<std::string>& paths, const Notices& notices,
                                   Diagnostics& diagnostics);

}  // namespace busline::dumpi
